import type { OwnRequest } from '../buckets/buckets.ts'
import type { ConsoleStorage } from './deps.ts'
import type { BucketChange, BucketSummary } from './schemas.ts'
import { selectBucketNamesStatement, selectBucketSummariesStatement } from './store.ts'

/** Buckets, as the console shows and changes them: all of them, past row-level security. */
export interface ConsoleBuckets {
  list(request: OwnRequest): Promise<BucketSummary[]>
  /** Their names alone, which cost no look at objects. */
  names(request: OwnRequest): Promise<string[]>
  create(request: OwnRequest, name: string, values: BucketChange): Promise<void>
  change(request: OwnRequest, id: string, values: BucketChange): Promise<void>
  /** @throws NoSuchBucket, ResourceNotEmpty */
  remove(request: OwnRequest, id: string): Promise<void>
}

/** @param storage the service’s own operations */
export function createConsoleBuckets({ buckets, sql }: ConsoleStorage): ConsoleBuckets {
  const inputOf = ({ public: isPublic, fileSizeLimit, allowedMimeTypes }: BucketChange) => ({
    public: isPublic,
    file_size_limit: fileSizeLimit,
    allowed_mime_types: allowedMimeTypes.length === 0 ? null : allowedMimeTypes,
  })
  return {
    async list(request) {
      const call = { statement: selectBucketSummariesStatement(), readOnly: true }
      const { rows } = await sql.asService<{ body: string }>(request, call)
      // The database's own JSON.
      return JSON.parse(rows[0]?.body ?? '[]') as BucketSummary[]
    },
    async names(request) {
      const call = { statement: selectBucketNamesStatement(), readOnly: true }
      const { rows } = await sql.asService<{ body: string }>(request, call)
      return JSON.parse(rows[0]?.body ?? '[]') as string[]
    },
    create: (request, name, values) => buckets.create(request, name, inputOf(values)),
    change: (request, id, values) => buckets.update(request, id, inputOf(values)),
    remove: (request, id) => buckets.remove(request, id),
  }
}
