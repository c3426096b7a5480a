import type { Statement } from '../../../ground/sql/postgres.ts'
import type { OwnRequest } from '../buckets/buckets.ts'
import type { ConsoleStorage } from './deps.ts'
import { type BucketFigures, createFigures } from './figures.ts'
import type { BucketChange, BucketSummary } from './schemas.ts'
import { selectBucketFiguresStatement, selectBucketNamesStatement, selectBucketSummariesStatement } from './store.ts'

/** Buckets, as the console shows and changes them: all of them, past row-level security. */
export interface ConsoleBuckets {
  /** Each with the number and the bytes of its objects, as they were when they were counted. */
  list(request: OwnRequest): Promise<{ readonly buckets: BucketSummary[]; readonly countedAt: Date }>
  /** Their names alone, which cost no look at objects. */
  names(request: OwnRequest): Promise<string[]>
  create(request: OwnRequest, name: string, values: BucketChange): Promise<void>
  change(request: OwnRequest, id: string, values: BucketChange): Promise<void>
  /** @throws NoSuchBucket, ResourceNotEmpty */
  remove(request: OwnRequest, id: string): Promise<void>
}

/** @param storage the service’s own operations */
export function createConsoleBuckets({ buckets, sql }: ConsoleStorage, now: () => Date): ConsoleBuckets {
  const inputOf = ({ public: isPublic, fileSizeLimit, allowedMimeTypes }: BucketChange) => ({
    public: isPublic,
    file_size_limit: fileSizeLimit,
    allowed_mime_types: allowedMimeTypes.length === 0 ? null : allowedMimeTypes,
  })
  // The database's own JSON, in column `body`.
  const read = async <T>(request: OwnRequest, statement: Statement): Promise<T[]> => {
    const { rows } = await sql.asService<{ body: string }>(request, { statement, readOnly: true })
    return JSON.parse(rows[0]?.body ?? '[]') as T[]
  }
  const figuresOf = createFigures(async (request: OwnRequest) => {
    const counted = await read<BucketFigures & { readonly id: string }>(request, selectBucketFiguresStatement())
    return new Map(counted.map(({ id, ...figures }) => [id, figures]))
  }, now)
  return {
    async list(request) {
      const [summaries, { figures, countedAt }] = await Promise.all([
        read<Omit<BucketSummary, keyof BucketFigures>>(request, selectBucketSummariesStatement()),
        figuresOf(request),
      ])
      const found = summaries.map((summary) => ({ ...summary, ...(figures.get(summary.id) ?? noFigures) }))
      return { buckets: found, countedAt }
    },
    names: (request) => read<string>(request, selectBucketNamesStatement()),
    create: (request, name, values) => buckets.create(request, name, inputOf(values)),
    change: (request, id, values) => buckets.update(request, id, inputOf(values)),
    remove: (request, id) => buckets.remove(request, id),
  }
}

const noFigures: BucketFigures = { objects: 0, sizeBytes: 0 }
