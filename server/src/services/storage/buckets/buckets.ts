import { storageError } from '../errors.ts'
import type { StorageCaller, StorageRequest } from '../http/caller.ts'
import { isStorageError } from '../http/error-response.ts'
import { checkBucketName } from '../names/names.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { checkAllowedTypes } from './mime-types.ts'
import { parseSizeLimit } from './size-limit.ts'
import {
  type BucketListOptions,
  type BucketRow,
  type BucketValues,
  bucketContentStatement,
  deleteBucketStatement,
  findBucketStatement,
  insertBucketStatement,
  selectBucketStatement,
  selectBucketsStatement,
  updateBucketStatement,
} from './store.ts'

/** What an upload or a download has to know of a bucket. */
export interface Bucket {
  readonly id: string
  readonly isPublic: boolean
  /** Bytes of an object at most; null where only the service's own limit holds. */
  readonly fileSizeLimit: number | null
  /** Null or empty for any. */
  readonly allowedMimeTypes: readonly string[] | null
}

/** The settings of a bucket as a client sends them. */
export interface BucketInput {
  readonly public?: boolean
  readonly file_size_limit?: number | string | null
  readonly allowed_mime_types?: readonly string[] | null
}

/** A request whose caller is known. */
export interface OwnRequest extends StorageRequest {
  readonly caller: StorageCaller
}

/** Buckets, each statement with the rights of the caller (storage §3). JSON is passed on as the database made it. */
export interface Buckets {
  /** @throws BucketAlreadyExists, InvalidBucketName, EntityTooLarge for a limit above the service's, AccessDenied */
  create(request: OwnRequest, name: string, input: BucketInput & { readonly id?: string }): Promise<void>
  /** JSON of the visible ones. */
  list(request: OwnRequest, options: BucketListOptions): Promise<string>
  /** JSON of one. @throws NoSuchBucket */
  get(request: OwnRequest, id: string): Promise<string>
  /** @throws NoSuchBucket */
  update(request: OwnRequest, id: string, input: BucketInput): Promise<void>
  /** @throws NoSuchBucket, ResourceNotEmpty, ResourceReferenced */
  remove(request: OwnRequest, id: string): Promise<void>
  /** Past row-level security; null where there is none. */
  find(request: StorageRequest, id: string): Promise<Bucket | null>
}

/** The dependencies of `createBuckets`. */
export interface BucketsDeps {
  readonly sql: StorageSql
  /** The service's own limit of an object, in bytes. */
  readonly fileSizeLimit: number
}

/** @param deps the statements of callers, and the limit that no bucket exceeds */
export function createBuckets({ sql, fileSizeLimit }: BucketsDeps): Buckets {
  const valuesOf = (input: BucketInput): BucketValues => readValues(input, fileSizeLimit)
  return {
    async create(request, name, { id = name, ...input }) {
      checkBucketName(id)
      checkBucketName(name)
      const values = valuesOf(input)
      const statement = insertBucketStatement({ ...values, id, name, owner: request.caller.subject })
      await sql.asCaller(request, request.caller, { statement }).catch((error: unknown) => {
        throw isStorageError(error) && error.code === 'ResourceAlreadyExists'
          ? storageError('BucketAlreadyExists', { cause: error })
          : error
      })
    },
    list: (request, options) => readBody(sql, request, selectBucketsStatement(options)),
    get: (request, id) => readBody(sql, request, selectBucketStatement(id)),
    async update(request, id, input) {
      const { rowCount } = await sql.asCaller(request, request.caller, {
        statement: updateBucketStatement(id, valuesOf(input)),
      })
      if (rowCount === 0) throw storageError('NoSuchBucket')
    },
    async remove(request, id) {
      await readBody(sql, request, selectBucketStatement(id))
      const { rows } = await sql.asService<{ objects: string; uploads: string }>(request, {
        statement: bucketContentStatement(id),
        readOnly: true,
      })
      if (rows[0]?.objects === 'true') throw storageError('ResourceNotEmpty')
      if (rows[0]?.uploads === 'true') throw storageError('ResourceReferenced')
      const { rowCount } = await sql.asCaller(request, request.caller, { statement: deleteBucketStatement(id) })
      if (rowCount === 0) throw storageError('NoSuchBucket')
    },
    async find(request, id) {
      const { rows } = await sql.asService<BucketRow>(request, { statement: findBucketStatement(id), readOnly: true })
      return toBucket(rows[0])
    },
  }
}

async function readBody(sql: StorageSql, request: OwnRequest, statement: ReturnType<typeof selectBucketStatement>) {
  const { rows } = await sql.asCaller<{ body: string }>(request, request.caller, { statement, readOnly: true })
  const body = rows[0]?.body
  if (body === undefined) throw storageError('NoSuchBucket')
  return body
}

function readValues(input: BucketInput, mostBytes: number): BucketValues {
  const { public: isPublic, file_size_limit: limit, allowed_mime_types: types } = input
  const fileSizeLimit = limit === undefined ? undefined : parseSizeLimit(limit)
  if (typeof fileSizeLimit === 'number' && fileSizeLimit > mostBytes) throw storageError('EntityTooLarge')
  return {
    ...(isPublic === undefined ? {} : { public: isPublic }),
    ...(fileSizeLimit === undefined ? {} : { fileSizeLimit }),
    ...(types === undefined ? {} : { allowedMimeTypes: types === null ? null : checkAllowedTypes(types) }),
  }
}

/** The bucket of a row of `findBucketStatement`; null without one. */
export const toBucket = (row: BucketRow | undefined): Bucket | null =>
  row === undefined
    ? null
    : {
        id: row.id,
        isPublic: row.public === 'true',
        fileSizeLimit: row.file_size_limit === null ? null : Number(row.file_size_limit),
        // The database's own JSON of a text[].
        allowedMimeTypes: row.allowed_mime_types === null ? null : (JSON.parse(row.allowed_mime_types) as string[]),
      }
