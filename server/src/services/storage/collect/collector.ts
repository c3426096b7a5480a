import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { EngineHealth } from '../../../ground/model/health.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { OwnRequest } from '../buckets/buckets.ts'
import { storageError } from '../errors.ts'
import type { FileStore } from '../files/file-store.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { removeOrphans } from './orphans.ts'
import {
  anyObjectStatement,
  claimRemovalsStatement,
  countObjectsStatement,
  countRemovalsStatement,
  type DueRemoval,
  deleteEmptiedObjectsStatement,
  deleteEmptiedStatement,
  deleteRemovalsStatement,
  type EmptiedBucket,
  expireMultipartStatement,
  expireUploadsStatement,
  insertEmptiedStatement,
  selectEmptiedStatement,
} from './store.ts'

/** The dependencies of `createCollector`. */
export interface CollectorDeps {
  /** The tables of `clew_storage`, which no code of the application touches. */
  readonly sql: Sql
  readonly storageSql: StorageSql
  readonly files: FileStore
  /** The most objects of a bucket that is emptied by one request. */
  readonly emptyBucketObjects: number
  /** How long a multipart upload of the S3 protocol may take. */
  readonly multipartHours: number
  readonly now: () => Date
  readonly log: Pick<Log, 'warn' | 'info'>
}

/** Removes what nothing names any more: replaced files, expired uploads, emptied buckets (storage §12). */
export interface Collector {
  /** Begins to empty a bucket; all but large ones are empty when it resolves. @throws TooManyObjects */
  empty(request: OwnRequest, bucketId: string): Promise<void>
  /** Removes what is due, and what else is left to remove. */
  collect(): Promise<void>
  /** Queues the removal of files without a row. */
  removeOrphans(): ReturnType<typeof removeOrphans>
  start(): void
  /** Removals that wait, at the last look. */
  waiting(): number
  health(): EngineHealth
  close(): Promise<void>
}

const collectEveryMs = 30_000
const orphansEveryMs = 24 * 3_600_000
const firstOrphansMs = 600_000
const batchSize = 500
/** Batches that the request to empty a bucket itself waits for. */
const promptBatches = 10

/** @param deps statements and files; nothing is collected by itself before `start` */
export function createCollector(deps: CollectorDeps): Collector {
  const { sql, storageSql, files, emptyBucketObjects, log } = deps
  const timers: NodeJS.Timeout[] = []
  let waiting = 0
  let failure: string | null = null
  let suspicious = 0
  let missing = 0
  let running: Promise<void> | null = null
  let closed = false

  const collect = async (): Promise<void> => {
    for (const bucket of (await sql.query<EmptiedBucket>(selectEmptiedStatement())).rows)
      await emptyBatches(deps, bucket, Number.POSITIVE_INFINITY, () => closed)
    await sql.query(expireUploadsStatement())
    await expireMultipart(deps)
    while (!closed && (await removeDue(sql, files)) === batchSize);
    waiting = (await sql.query<{ count: number }>(countRemovalsStatement())).rows[0]?.count ?? 0
  }
  const lookForOrphans = async (): ReturnType<typeof removeOrphans> => {
    const report = await removeOrphans(deps)
    suspicious = report.suspicious
    missing = report.missing
    if (missing > 0) log.warn(report, 'storage: objects have no file')
    if (report.stranded > 0) log.info(report, 'storage: files without a row are removed within the next hours')
    return report
  }
  /** One at a time: what takes longer than its interval is not begun again. */
  const work = (task: () => Promise<unknown>): void => {
    running ??= task()
      .then(
        () => {
          failure = null
        },
        (error: unknown) => {
          if (failure === null) log.warn({ err: error }, 'storage: files wait for their removal')
          failure = messageOf(error)
        },
      )
      .finally(() => {
        running = null
      })
  }
  return {
    async empty(request, bucketId) {
      const visible = { statement: anyObjectStatement(bucketId), readOnly: true }
      if ((await storageSql.asCaller(request, request.caller, visible)).rowCount === 0) return
      const counting = { statement: countObjectsStatement(bucketId, emptyBucketObjects + 1), readOnly: true }
      const { rows } = await storageSql.asService<{ count: string }>(request, counting)
      if (Number(rows[0]?.count ?? 0) > emptyBucketObjects) throw storageError('TooManyObjects')
      await sql.query(insertEmptiedStatement(bucketId), request.context)
      const [bucket] = (await sql.query<EmptiedBucket>(selectEmptiedStatement())).rows.filter(
        (each) => each.bucketId === bucketId,
      )
      if (bucket !== undefined) await emptyBatches(deps, bucket, promptBatches, () => closed)
    },
    collect,
    removeOrphans: lookForOrphans,
    start() {
      timers.push(
        setInterval(() => work(collect), collectEveryMs).unref(),
        setTimeout(() => work(lookForOrphans), firstOrphansMs).unref(),
        setInterval(() => work(lookForOrphans), orphansEveryMs).unref(),
      )
      work(collect)
    },
    waiting: () => waiting,
    health: () => healthOf({ failure, suspicious, missing, waiting }),
    async close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      await running
    },
  }
}

/** Removes the files of some removals that are due. @returns how many there were */
async function removeDue(sql: Sql, files: Pick<FileStore, 'remove'>): Promise<number> {
  return sql.transaction(async (transaction) => {
    const { rows } = await transaction.query<DueRemoval>(claimRemovalsStatement(batchSize))
    if (rows.length === 0) return 0
    // The files first: were the process killed now, the removals would be done once more.
    await files.remove(rows.filter(({ isUsed }) => !isUsed).map(({ fileId }) => fileId))
    await transaction.query(deleteRemovalsStatement(rows.map(({ id }) => id)))
    return rows.length
  })
}

/** Ends multipart uploads that took too long. A crash leaves files without a row, which the search for those finds. */
async function expireMultipart({ storageSql, files, multipartHours, now }: CollectorDeps): Promise<void> {
  const before = new Date(now().getTime() - multipartHours * 3_600_000)
  const { rows } = await storageSql.inBackground<{ version: string }>(expireMultipartStatement(before))
  await files.remove(rows.map(({ version }) => version))
}

/** Deletes objects of a bucket, a batch a transaction, as the service role: triggers of the application see it. */
async function emptyBatches(
  { sql, storageSql }: Pick<CollectorDeps, 'sql' | 'storageSql'>,
  bucket: EmptiedBucket,
  most: number,
  isClosed: () => boolean,
): Promise<void> {
  for (let batches = 0; batches < most && !isClosed(); batches += 1) {
    const { rowCount } = await storageSql.inBackground(deleteEmptiedObjectsStatement(bucket, batchSize))
    if (rowCount === batchSize) continue
    await sql.query(deleteEmptiedStatement(bucket))
    return
  }
}

interface CollectorState {
  readonly failure: string | null
  readonly suspicious: number
  readonly missing: number
  readonly waiting: number
}

function healthOf({ failure, suspicious, missing, waiting }: CollectorState): EngineHealth {
  const health = { name: 'storage', pid: null }
  if (failure !== null) return { ...health, state: 'degraded', detail: `Files wait for their removal: ${failure}` }
  if (suspicious > 0)
    return {
      ...health,
      state: 'degraded',
      detail: `${suspicious} files have no row, most of all: they are kept, since this may be another database’s folder.`,
    }
  if (missing > 0)
    return {
      ...health,
      state: 'degraded',
      detail: `${missing} objects have no file: it was removed by other means. Delete them, or bring the files back.`,
    }
  return { ...health, state: 'up', detail: `Objects and their files; ${waiting} replaced files wait for their removal` }
}
