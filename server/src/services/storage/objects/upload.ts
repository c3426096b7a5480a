import type { Bucket, Buckets } from '../buckets/buckets.ts'
import { checkMimeType } from '../buckets/mime-types.ts'
import { storageError } from '../errors.ts'
import type { FileStore, StoredFile } from '../files/file-store.ts'
import type { UploadBody } from '../http/body/upload-body.ts'
import type { StorageCaller, StorageRequest } from '../http/caller.ts'
import { isStorageError } from '../http/error-response.ts'
import { checkKey, isFolderPlaceholder } from '../names/names.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { checkContent } from './content-check.ts'
import type { ObjectMetadata } from './object.ts'
import {
  insertNewStatement,
  insertObjectStatement,
  lockStatement,
  type NewObject,
  upsertObjectStatement,
} from './store.ts'

/** How an upload treats an object of its name, and whose it is. */
export interface UploadOptions {
  /** Whether it replaces an object that is there; else KeyAlreadyExists. */
  readonly upsert: boolean
  /** `sub` of the caller; null without one. */
  readonly owner: string | null
}

/** What an object is stored with besides its bytes. */
export type UploadFacts = Pick<UploadBody, 'mimeType' | 'cacheControl' | 'userMetadata' | 'robotsTag'>

/** An object that was stored. */
export interface Uploaded {
  /** The id of its row. */
  readonly id: string
  /** JSON of its row. */
  readonly body: string
  readonly file: StoredFile
}

/** Stores objects: the file first, then the row in one short transaction under a lock of its name (storage §12). */
export interface Uploads {
  /**
   * The bytes an object of a bucket may have, once its key and type are known to be allowed.
   *
   * @throws NoSuchBucket, InvalidKey, InvalidMimeType
   */
  limitOf(request: StorageRequest, name: ObjectName, mimeType: string): Promise<number>
  /** Whether an object may have this name. @throws NoSuchBucket, InvalidKey */
  requireName(request: StorageRequest, name: ObjectName): Promise<Bucket>
  /** Whether the caller may store this object. @throws AccessDenied, KeyAlreadyExists */
  test(
    request: StorageRequest,
    caller: StorageCaller,
    name: ObjectName,
    facts: Pick<UploadBody, 'mimeType' | 'userMetadata' | 'declaredBytes'>,
    options: UploadOptions,
  ): Promise<void>
  /** Stores a body; nothing is left when it fails. @throws EntityTooLarge, KeyAlreadyExists, OutOfSpace, ResourceLocked */
  store(
    request: StorageRequest,
    name: ObjectName,
    body: UploadBody,
    limitBytes: number,
    options: UploadOptions,
  ): Promise<Uploaded>
  /** Makes a file that is stored already the object; the file is removed when the database refuses it. @throws as `store` */
  commit(
    request: StorageRequest,
    name: ObjectName,
    stored: { readonly version: string; readonly file: StoredFile },
    facts: UploadFacts,
    options: UploadOptions,
  ): Promise<Uploaded>
}

/** The dependencies of `createUploads`. */
export interface UploadsDeps {
  readonly sql: StorageSql
  readonly files: Pick<FileStore, 'put' | 'remove'>
  readonly buckets: Pick<Buckets, 'find'>
  /** The service's own limit of an object, in bytes. */
  readonly fileSizeLimit: number
  /** Buckets whose uploads must begin as files of their declared type do. */
  readonly checkedBuckets: readonly string[]
  readonly newVersion: () => string
  readonly now: () => Date
}

/** How long a write waits for another of the same object. */
const lockTimeoutMs = 5_000

/** @param deps statements, files and buckets */
export function createUploads(deps: UploadsDeps): Uploads {
  const { sql, files, buckets, fileSizeLimit, newVersion, now } = deps
  const checked = new Set(deps.checkedBuckets)
  const commit: Uploads['commit'] = async (request, name, { version, file }, facts, { upsert, owner }) => {
    const { mimeType, cacheControl, userMetadata, robotsTag } = facts
    const metadata: ObjectMetadata = {
      ...metadataOf(file, now()),
      mimetype: mimeType,
      cacheControl,
      ...(robotsTag === null ? {} : { xRobotsTag: robotsTag }),
    }
    const object: NewObject = { ...name, owner, version, metadata, userMetadata: userMetadata ?? {} }
    try {
      const { rows } = await sql.asService<{ id: string; body: string }>(request, {
        before: lockStatement(name),
        statement: upsert ? upsertObjectStatement(object) : insertNewStatement(object),
        lockTimeoutMs,
      })
      const row = rows[0]
      // Another upload of this name was faster (storage §12).
      if (row === undefined) throw storageError('KeyAlreadyExists')
      return { ...row, file }
    } catch (error) {
      // Only where the database has refused: when a connection is lost, the row may be there. The sweeper knows it then.
      if (isStorageError(error)) await files.remove([version])
      throw error
    }
  }
  const requireName: Uploads['requireName'] = async (request, { bucketId, key }) => {
    checkKey(key)
    const bucket = await buckets.find(request, bucketId)
    if (bucket === null) throw storageError('NoSuchBucket')
    return bucket
  }
  return {
    requireName,
    async limitOf(request, name, mimeType) {
      return limitIn(await requireName(request, name), name.key, mimeType, fileSizeLimit)
    },
    async test(request, caller, name, { mimeType, userMetadata, declaredBytes }, { upsert, owner }) {
      const object: NewObject = {
        ...name,
        owner,
        version: '1',
        metadata: { mimetype: mimeType, ...(declaredBytes === null ? {} : { contentLength: declaredBytes }) },
        userMetadata,
      }
      const statement = upsert ? upsertObjectStatement(object) : insertObjectStatement(object)
      await sql.test(request, caller, statement).catch((error: unknown) => {
        throw isStorageError(error) && error.code === 'ResourceAlreadyExists'
          ? storageError('KeyAlreadyExists', { cause: error })
          : error
      })
    },
    async store(request, name, body, limitBytes, options) {
      if (body.isExact && body.declaredBytes !== null && body.declaredBytes > limitBytes)
        throw storageError('EntityTooLarge')
      const version = newVersion()
      const content = checked.has(name.bucketId) ? await checkContent(body.body, body.mimeType) : body.body
      const file = await files.put(version, content, { limitBytes, signal: request.context.signal })
      return commit(request, name, { version, file }, body, options)
    },
    commit,
  }
}

function limitIn(bucket: Bucket, key: string, mimeType: string, ownLimit: number): number {
  if (isFolderPlaceholder(key)) return 0
  checkMimeType(mimeType, bucket.allowedMimeTypes)
  return Math.min(ownLimit, bucket.fileSizeLimit ?? ownLimit)
}

/** The metadata that a stored file gives its object. */
const metadataOf = ({ etag, sizeBytes }: StoredFile, at: Date): ObjectMetadata => ({
  eTag: etag,
  size: sizeBytes,
  lastModified: at.toISOString(),
  contentLength: sizeBytes,
  httpStatusCode: 200,
})
