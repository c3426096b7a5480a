import type { Sql } from '../../../engines/postgres/index.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import type { FileStore, ListedFile } from '../files/file-store.ts'
import { countNamedStatement, countWithFileStatement, queueRemovalsStatement, unusedFilesStatement } from './store.ts'

/** What a look at all files came to. */
export interface OrphanReport {
  readonly files: number
  /** Files that nothing names, which are removed unless something does within the hour. */
  readonly stranded: number
  /** Files that nothing names and that are kept: there are so many that the database may be another one. */
  readonly suspicious: number
  /** Objects whose file is not there: it was removed by other means. */
  readonly missing: number
}

/** The dependencies of `removeOrphans`. */
export interface OrphansDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly files: Pick<FileStore, 'list'>
  readonly now: () => Date
}

/** A file is stored before its row: one as young as this, or seen without one for as long, may still get one. */
const youngMs = 3_600_000
const batchSize = 500
/** Above this number, files without a row are removed only while they are fewer than the others. */
const fewFiles = 100

/**
 * Queues the removal of files that nothing names: what a crash has left between a file and its row (storage §12). They are
 * looked at once more when they are due. A file's date may be of before its bytes were whole: Amazon's buckets give an
 * object of a multipart upload the date when that began, and one that took hours gets its row a moment later.
 */
export async function removeOrphans({ sql, files, now }: OrphansDeps): Promise<OrphanReport> {
  const startedAt = now()
  const before = new Date(startedAt.getTime() - youngMs)
  const unused: string[] = []
  let count = 0
  let namedCount = 0
  const look = async (batch: readonly ListedFile[]): Promise<void> => {
    if (batch.length === 0) return
    const ids = batch.map(({ id }) => id)
    namedCount += await countOf(sql, countNamedStatement(ids, startedAt))
    const old = batch.filter(({ modifiedAt }) => modifiedAt < before).map(({ id }) => id)
    const { rows } = await sql.query<{ id: string }>(unusedFilesStatement(old))
    for (const { id } of rows) unused.push(id)
  }
  let batch: ListedFile[] = []
  for await (const file of files.list()) {
    count += 1
    batch.push(file)
    if (batch.length < batchSize) continue
    await look(batch)
    batch = []
  }
  await look(batch)
  // What is written or deleted meanwhile is in neither count, or in the first alone.
  const missing = Math.max(0, (await countOf(sql, countWithFileStatement(startedAt))) - namedCount)
  if (unused.length > fewFiles && unused.length * 2 > count)
    return { files: count, stranded: 0, suspicious: unused.length, missing }
  const dueAt = new Date(startedAt.getTime() + youngMs)
  for (let at = 0; at < unused.length; at += batchSize)
    await sql.query(queueRemovalsStatement(unused.slice(at, at + batchSize), dueAt))
  return { files: count, stranded: unused.length, suspicious: 0, missing }
}

const countOf = async (sql: OrphansDeps['sql'], statement: Statement): Promise<number> =>
  (await sql.query<{ count: number }>(statement)).rows[0]?.count ?? 0
