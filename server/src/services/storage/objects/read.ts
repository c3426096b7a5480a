import type { Readable } from 'node:stream'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { storageError } from '../errors.ts'
import { FileError } from '../files/errors.ts'
import type { ByteRange, FileId, FileStore } from '../files/file-store.ts'
import { type StorageCaller, type StorageRequest, serviceCaller } from '../http/caller.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { type BucketObjectRow, type ObjectRow, type StoredObject, toStoredObject } from './object.ts'
import { findInBucketStatement, findObjectStatement } from './store.ts'

/** Which rows a read sees. */
export type Access =
  /** In a public bucket all, else those that the request's caller may select (storage §6). */
  | 'by caller'
  /** Those of public buckets. */
  | 'public'
  /** All: a signed URL was checked before. */
  | 'signed'

/** Reads objects. */
export interface Reads {
  /** @throws NoSuchBucket, NoSuchKey */
  find(request: StorageRequest, name: ObjectName, access: Access): Promise<StoredObject>
  /** One that the caller may select, whatever its bucket. @throws NoSuchKey */
  findOwn(request: StorageRequest, caller: StorageCaller, name: ObjectName): Promise<StoredObject>
  /** The name of an object’s file. @throws FileMissing for a row without one */
  fileOf(object: StoredObject): FileId
  /** The bytes of an object. @throws FileMissing for a row without a file */
  open(object: StoredObject, range: ByteRange | null): Promise<Readable>
  /** The first bytes of an object, as many as there is memory for. @returns their number. @throws FileMissing */
  read(object: StoredObject, memory: Buffer): Promise<number>
  /** Where the object's bytes lie on this machine, if they are in one piece; null where they are elsewhere. */
  pathOf(object: StoredObject): string | null
  /** Whether an error of `open` says that the file is gone: the row may have another one by now. */
  isGone(error: unknown): boolean
}

/** The dependencies of `createReads`. */
export interface ReadsDeps {
  readonly sql: StorageSql
  readonly files: Pick<FileStore, 'get' | 'read' | 'pathOf'>
}

/** SQL may have written any text as a version. */
function fileOf({ version }: StoredObject): FileId {
  if (version === null || !isUuid(version)) throw new FileError('FileMissing')
  return version.toLowerCase()
}

/** @param deps statements and files */
export function createReads({ sql, files }: ReadsDeps): Reads {
  /** Past row-level security. */
  const findInBucket = async (request: StorageRequest, name: ObjectName): Promise<InBucket> => {
    const call = { statement: findInBucketStatement(name), readOnly: true }
    return inBucket((await sql.asService<BucketObjectRow>(request, call)).rows)
  }
  /** What the caller sees of an object, and its bucket: in one round trip. */
  const findBoth = async (request: StorageRequest, caller: StorageCaller, name: ObjectName) => {
    const call = {
      statement: findObjectStatement(name),
      afterAsService: findInBucketStatement(name),
      readOnly: true,
    }
    const { rows, after } = await sql.asCaller<ObjectRow>(request, caller, call)
    // Rows of the second statement, which are typed by nothing else.
    return { own: rows[0], ...inBucket(after as readonly BucketObjectRow[]) }
  }
  return {
    async findOwn(request, caller, name) {
      const call = { statement: findObjectStatement(name), readOnly: true }
      return existing((await sql.asCaller<ObjectRow>(request, caller, call)).rows[0])
    },
    async find(request, name, access) {
      const caller = access === 'by caller' ? request.caller : null
      if (caller === null || caller.role === serviceCaller.role) {
        const { isPublic, object } = await findInBucket(request, name)
        if (!isPublic && access !== 'signed' && caller === null) throw storageError('NoSuchBucket')
        return existing(object)
      }
      const found = await findBoth(request, caller, name).catch(async (error: unknown) => {
        // No right to ask for the rows is needed where all may have them.
        const inPublic = await findInBucket(request, name)
        if (!inPublic.isPublic) throw error
        return { ...inPublic, own: undefined }
      })
      return existing(found.isPublic ? found.object : found.own)
    },
    fileOf,
    async open(object, range) {
      const id = fileOf(object)
      return range === null ? files.get(id) : files.get(id, range)
    },
    read: async (object, memory) => files.read(fileOf(object), memory),
    pathOf: (object) => files.pathOf?.(fileOf(object)) ?? null,
    isGone: (error) => error instanceof FileError && error.code === 'FileMissing',
  }
}

interface InBucket {
  readonly isPublic: boolean
  readonly object: ObjectRow | undefined
}

/** @throws NoSuchBucket */
function inBucket([row]: readonly BucketObjectRow[]): InBucket {
  if (row === undefined) throw storageError('NoSuchBucket')
  // An object's columns are null together.
  return { isPublic: row.public === 'true', object: row.id === null ? undefined : (row as ObjectRow) }
}

/** @throws NoSuchKey */
function existing(row: ObjectRow | undefined): StoredObject {
  if (row === undefined) throw storageError('NoSuchKey')
  return toStoredObject(row)
}
