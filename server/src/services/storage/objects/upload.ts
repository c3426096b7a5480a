import type { Statement } from '../../../ground/sql/postgres.ts'
import { type Bucket, type Buckets, toBucket } from '../buckets/buckets.ts'
import { checkMimeType } from '../buckets/mime-types.ts'
import { type BucketRow, findBucketStatement } from '../buckets/store.ts'
import { storageError } from '../errors.ts'
import type { FileStore, StoredFile } from '../files/file-store.ts'
import type { UploadBody } from '../http/body/upload-body.ts'
import { type StorageCaller, type StorageRequest, serviceCaller } from '../http/caller.ts'
import { isStorageError } from '../http/error-response.ts'
import { checkKey, isFolderPlaceholder } from '../names/names.ts'
import type { ObjectName } from '../names/object-name.ts'
import { mayBeCommitted } from '../sql/database-error.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { checkContent } from './content-check.ts'
import type { ObjectMetadata } from './object.ts'
import {
  insertNewStatement,
  insertObjectStatement,
  lockStatement,
  type NewObject,
  objectExistsStatement,
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
  readonly file: FileFacts
}

/** What an object tells of its file. */
type FileFacts = Pick<StoredFile, 'sizeBytes' | 'etag'>

/** Stores objects: the file first, then the row in one short transaction under a lock of its name (storage §12). */
export interface Uploads {
  /**
   * The bytes that an object may have, once its name and type are known to be allowed, and that the caller may store it.
   *
   * @param tester null where the right to upload was tested before: by the one who signed it
   * @throws NoSuchBucket, InvalidKey, InvalidMimeType, AccessDenied, KeyAlreadyExists
   */
  admit(
    request: StorageRequest,
    tester: StorageCaller | null,
    name: ObjectName,
    facts: Pick<UploadBody, 'mimeType' | 'userMetadata' | 'declaredBytes'>,
    options: UploadOptions,
  ): Promise<number>
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
    body: Omit<UploadBody, 'laterFacts'>,
    limitBytes: number,
    options: UploadOptions,
    /** What is known of the object once its bytes are stored, when it differs; refused where it rejects. */
    settle?: () => Promise<Partial<UploadFacts>>,
  ): Promise<Uploaded>
  /** Makes a file that is stored already the object; the file is removed when the database refuses it. @throws as `store` */
  commit(
    request: StorageRequest,
    name: ObjectName,
    stored: { readonly version: string; readonly file: FileFacts },
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
      // When a connection is lost, the row may be there: the sweeper knows it then.
      if (!mayBeCommitted(error)) await files.remove([version])
      throw error
    }
  }
  const limitOf = (bucket: Bucket | null, key: string, mimeType: string): number => {
    if (bucket === null) throw storageError('NoSuchBucket')
    return limitIn(bucket, key, mimeType, fileSizeLimit)
  }
  return {
    async requireName(request, { bucketId, key }) {
      checkKey(key)
      const bucket = await buckets.find(request, bucketId)
      if (bucket === null) throw storageError('NoSuchBucket')
      return bucket
    },
    async admit(request, tester, name, facts, options) {
      const { bucketId, key } = name
      checkKey(key)
      if (tester === null) return limitOf(await buckets.find(request, bucketId), key, facts.mimeType)
      const found = findBucketStatement(bucketId)
      if (tester.role === serviceCaller.role) {
        // No policy holds for it: only a name that is taken is refused before the bytes are stored.
        const call = { statement: found, afterAsService: objectExistsStatement(name), readOnly: true }
        const { rows, after } = await sql.asCaller<BucketRow>(request, tester, call)
        const limit = limitOf(toBucket(rows[0]), key, facts.mimeType)
        if (!options.upsert && after[0]?.taken === 'true') throw storageError('KeyAlreadyExists')
        return limit
      }
      const call = { statement: testStatement(name, facts, options), afterAsService: found }
      const { after } = await sql.test(request, tester, call).catch(async (error: unknown) => {
        // What is wrong with the bucket or the type is said before what policies refuse.
        limitOf(await buckets.find(request, bucketId), key, facts.mimeType)
        throw refusalOf(error)
      })
      // The row of `findBucketStatement`, which nothing else types.
      return limitOf(toBucket(after[0] as BucketRow | undefined), key, facts.mimeType)
    },
    async test(request, caller, name, facts, options) {
      await sql.test(request, caller, { statement: testStatement(name, facts, options) }).catch((error: unknown) => {
        throw refusalOf(error)
      })
    },
    async store(request, name, body, limitBytes, options, settle) {
      if (body.isExact && body.declaredBytes !== null && body.declaredBytes > limitBytes)
        throw storageError('EntityTooLarge')
      const version = newVersion()
      const content = checked.has(name.bucketId) ? await checkContent(body.body, body.mimeType) : body.body
      const file = await files.put(version, content, { limitBytes, signal: request.context.signal })
      const later = await settle?.().catch(async (error: unknown) => {
        await files.remove([version])
        throw error
      })
      return commit(request, name, { version, file }, { ...body, ...later }, options)
    },
    commit,
  }
}

/** The row that the caller would write. */
function testStatement(
  name: ObjectName,
  { mimeType, userMetadata, declaredBytes }: Parameters<Uploads['test']>[3],
  { upsert, owner }: UploadOptions,
): Statement {
  const object: NewObject = {
    ...name,
    owner,
    version: '1',
    metadata: { mimetype: mimeType, ...(declaredBytes === null ? {} : { contentLength: declaredBytes }) },
    userMetadata,
  }
  return upsert ? upsertObjectStatement(object) : insertObjectStatement(object)
}

const refusalOf = (error: unknown): unknown =>
  isStorageError(error) && error.code === 'ResourceAlreadyExists'
    ? storageError('KeyAlreadyExists', { cause: error })
    : error

function limitIn(bucket: Bucket, key: string, mimeType: string, ownLimit: number): number {
  if (isFolderPlaceholder(key)) return 0
  checkMimeType(mimeType, bucket.allowedMimeTypes)
  return Math.min(ownLimit, bucket.fileSizeLimit ?? ownLimit)
}

/** The metadata that a stored file gives its object. */
const metadataOf = ({ etag, sizeBytes }: FileFacts, at: Date): ObjectMetadata => ({
  eTag: etag,
  size: sizeBytes,
  lastModified: at.toISOString(),
  contentLength: sizeBytes,
  httpStatusCode: 200,
})
