import type { Readable } from 'node:stream'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Buckets } from '../buckets/buckets.ts'
import { storageError } from '../errors.ts'
import { FileError } from '../files/errors.ts'
import type { ByteRange, FileId, FileStore } from '../files/file-store.ts'
import type { StorageCaller, StorageRequest } from '../http/caller.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { type ObjectRow, type StoredObject, toStoredObject } from './object.ts'
import { findObjectStatement } from './store.ts'

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
  /** Whether an error of `open` says that the file is gone: the row may have another one by now. */
  isGone(error: unknown): boolean
}

/** The dependencies of `createReads`. */
export interface ReadsDeps {
  readonly sql: StorageSql
  readonly files: Pick<FileStore, 'get'>
  readonly buckets: Pick<Buckets, 'find'>
}

/** SQL may have written any text as a version. */
function fileOf({ version }: StoredObject): FileId {
  if (version === null || !isUuid(version)) throw new FileError('FileMissing')
  return version.toLowerCase()
}

/** @param deps statements, files and buckets */
export function createReads({ sql, files, buckets }: ReadsDeps): Reads {
  const first = (rows: readonly ObjectRow[]): StoredObject => {
    if (rows[0] === undefined) throw storageError('NoSuchKey')
    return toStoredObject(rows[0])
  }
  const findOwn: Reads['findOwn'] = async (request, caller, name) => {
    const call = { statement: findObjectStatement(name), readOnly: true }
    return first((await sql.asCaller<ObjectRow>(request, caller, call)).rows)
  }
  return {
    findOwn,
    async find(request, name, access) {
      const bucket = await buckets.find(request, name.bucketId)
      const isHidden = access === 'public' || (access === 'by caller' && request.caller === null)
      if (bucket === null || (isHidden && !bucket.isPublic)) throw storageError('NoSuchBucket')
      if (access === 'by caller' && !bucket.isPublic && request.caller !== null)
        return findOwn(request, request.caller, name)
      const call = { statement: findObjectStatement(name), readOnly: true }
      return first((await sql.asService<ObjectRow>(request, call)).rows)
    },
    fileOf,
    async open(object, range) {
      const id = fileOf(object)
      return range === null ? files.get(id) : files.get(id, range)
    },
    isGone: (error) => error instanceof FileError && error.code === 'FileMissing',
  }
}
