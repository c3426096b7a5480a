import type { Statement } from '../../../ground/sql/postgres.ts'
import { type Bucket, type Buckets, toBucket } from '../buckets/buckets.ts'
import { checkMimeType } from '../buckets/mime-types.ts'
import { type BucketRow, findBucketStatement } from '../buckets/store.ts'
import { storageError } from '../errors.ts'
import type { UploadBody } from '../http/body/upload-body.ts'
import { type StorageCaller, type StorageRequest, serviceCaller } from '../http/caller.ts'
import { isStorageError } from '../http/error-response.ts'
import { checkKey, isFolderPlaceholder } from '../names/names.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { insertObjectStatement, type NewObject, objectExistsStatement, upsertObjectStatement } from './store.ts'

/** How an upload treats an object of its name, and whose it is. */
export interface UploadOptions {
  /** Whether it replaces an object that is there; else KeyAlreadyExists. */
  readonly upsert: boolean
  /** `sub` of the caller; null without one. */
  readonly owner: string | null
}

/** What is said of an object before its bytes are stored. */
export type DeclaredFacts = Pick<UploadBody, 'mimeType' | 'userMetadata' | 'declaredBytes'>

/** Says who may store what, before a byte is stored. */
export interface Admission {
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
    facts: DeclaredFacts,
    options: UploadOptions,
  ): Promise<number>
  /** The bytes that an object of a bucket may have. @throws NoSuchBucket without a row, InvalidMimeType */
  limitIn(bucket: BucketRow | undefined, key: string, mimeType: string): number
  /** Whether an object may have this name. @throws NoSuchBucket, InvalidKey */
  requireName(request: StorageRequest, name: ObjectName): Promise<Bucket>
  /** Whether the caller may store this object. @throws AccessDenied, KeyAlreadyExists */
  test(
    request: StorageRequest,
    caller: StorageCaller,
    name: ObjectName,
    facts: DeclaredFacts,
    options: UploadOptions,
  ): Promise<void>
}

/** The dependencies of `createAdmission`. */
export interface AdmissionDeps {
  readonly sql: StorageSql
  readonly buckets: Pick<Buckets, 'find'>
  /** The service's own limit of an object, in bytes. */
  readonly fileSizeLimit: number
}

/** @param deps statements and buckets */
export function createAdmission({ sql, buckets, fileSizeLimit }: AdmissionDeps): Admission {
  const limitOf = (bucket: Bucket | null, key: string, mimeType: string): number => {
    if (bucket === null) throw storageError('NoSuchBucket')
    return limitIn(bucket, key, mimeType, fileSizeLimit)
  }
  return {
    limitIn: (bucket, key, mimeType) => limitOf(toBucket(bucket), key, mimeType),
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
  }
}

/** The row that the caller would write. */
function testStatement(
  name: ObjectName,
  { mimeType, userMetadata, declaredBytes }: DeclaredFacts,
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
