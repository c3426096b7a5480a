import { createHash } from 'node:crypto'
import { type BulkConnection, openBulkConnection, withoutPassword } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { type FileMove, moveFiles } from '../files/move-files.ts'
import { countKeptStatement } from '../files/object-statements.ts'
import { applyItems } from './apply.ts'
import { lockImportStatement } from './journal.ts'
import type { Origin } from './managed.ts'
import { readDatabase } from './read-database.ts'
import { readDumpFile } from './read-file.ts'
import type { ImportReport } from './report.ts'
import { mayReplicateStatement, replicaSessionStatement } from './target-statements.ts'

/** What is imported, and into which database. */
export interface ImportOptions {
  readonly origin: Origin
  readonly from:
    | { readonly kind: 'database'; readonly address: string }
    | { readonly kind: 'file'; readonly path: string }
  /** The connection string of the database that is imported into, as its owner `postgres`. */
  readonly targetAddress: string
  /** Whether scheduled jobs run as soon as they are there. */
  readonly activatesJobs: boolean
  /** Where the files of stored objects come from and go to; null to leave the objects out. */
  readonly files: FileMove | null
  /** Called with what is being imported. */
  readonly progress: (line: string) => void
}

/**
 * Imports a database or a dump of one: roles, definitions, rows, and what a Supabase project has beside them. Each step is
 * noted with what it does, so that an import that was interrupted goes on when it is started again.
 *
 * @throws CLEW_IMPORT_RUNNING, POSTGRES_UNREACHABLE, POSTGRES_DUMP_FAILED, CLEW_IMPORT_FILE; a single statement that fails is in the report
 */
export async function importDatabase(options: ImportOptions): Promise<ImportReport> {
  const { from, targetAddress } = options
  const target = await openBulkConnection(targetAddress, 'clew import')
  try {
    const { rows: locked } = await target.query<{ is_ours: boolean }>(lockImportStatement())
    if (locked[0]?.is_ours !== true) throw instanceError('CLEW_IMPORT_RUNNING')
    const name = nameOf(from.kind === 'file' ? from.path : withoutPassword(from.address))
    const report = await applyAll(options, target, name)
    await importFiles(options, target, name, report)
    return report
  } finally {
    await target.close()
  }
}

async function applyAll(
  { origin, from, activatesJobs, files, progress }: ImportOptions,
  target: BulkConnection,
  name: string,
): Promise<ImportReport> {
  const deps = { target, source: name, origin, movesFiles: files !== null, progress }
  if (from.kind === 'file') return applyItems(readDumpFile(from.path), deps)
  const source = await openBulkConnection(from.address, 'clew import')
  try {
    const { address } = from
    return await applyItems(readDatabase({ source, address, origin, activatesJobs, readsSecrets: true }), deps)
  } finally {
    await source.close()
  }
}

/** Moves the files of the objects that the source has, when its transaction has ended. */
async function importFiles(
  { files, progress }: ImportOptions,
  target: BulkConnection,
  name: string,
  report: ImportReport,
): Promise<void> {
  if (files === null) {
    const { rows } = await target.query<{ count: number }>(countKeptStatement(name))
    const left = rows[0]?.count ?? 0
    if (left > 0) report.notes.push(`Left out: stored objects, whose files were not to be moved: ${left}.`)
    return
  }
  const { rows: may } = await target.query<{ may: boolean }>(mayReplicateStatement())
  // Triggers would give each object the time of its import.
  if (may[0]?.may === true) await target.query(replicaSessionStatement())
  const failed = (what: string, reason: string): void => void report.failed.push({ what, reason })
  report.files = await moveFiles({ ...files, database: target, name, progress, failed })
}

/** A source's name in the journal, which tells no address. */
const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
