import type { Sql } from '../../../engines/postgres/index.ts'
import type { FileStore } from '../files/file-store.ts'
import { unusedFilesStatement } from './store.ts'

/** What a look at all files came to. */
export interface OrphanReport {
  readonly files: number
  readonly removed: number
  /** Files that nothing names and that are kept: there are so many that the database may be another one. */
  readonly suspicious: number
}

/** The dependencies of `removeOrphans`. */
export interface OrphansDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly files: Pick<FileStore, 'list' | 'remove'>
  readonly now: () => Date
}

/** A file is stored before its row: one as young as this may still get one. */
const youngMs = 3_600_000
const batchSize = 500
/** Above this number, files without a row are removed only while they are fewer than the others. */
const fewFiles = 100

/** Removes the files that nothing names: what a crash has left between a file and its row (storage §12). */
export async function removeOrphans({ sql, files, now }: OrphansDeps): Promise<OrphanReport> {
  const before = new Date(now().getTime() - youngMs)
  const unused: string[] = []
  let count = 0
  const look = async (ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return
    const { rows } = await sql.query<{ id: string }>(unusedFilesStatement(ids))
    for (const { id } of rows) unused.push(id)
  }
  let batch: string[] = []
  for await (const { id, modifiedAt } of files.list()) {
    count += 1
    if (modifiedAt >= before) continue
    batch.push(id)
    if (batch.length < batchSize) continue
    await look(batch)
    batch = []
  }
  await look(batch)
  if (unused.length > fewFiles && unused.length * 2 > count)
    return { files: count, removed: 0, suspicious: unused.length }
  for (let at = 0; at < unused.length; at += batchSize) await files.remove(unused.slice(at, at + batchSize))
  return { files: count, removed: unused.length, suspicious: 0 }
}
