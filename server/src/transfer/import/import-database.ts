import { createHash } from 'node:crypto'
import { openBulkConnection, withoutPassword } from '../../engines/postgres/index.ts'
import { applyItems } from './apply.ts'
import type { ImportItem } from './items.ts'
import type { Origin } from './managed.ts'
import { readDatabase } from './read-database.ts'
import { readDumpFile } from './read-file.ts'
import type { ImportReport } from './report.ts'

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
  /** Called with what is being imported. */
  readonly progress: (line: string) => void
}

/**
 * Imports a database or a dump of one: roles, definitions, rows, and what a Supabase project has beside them. Each step is
 * noted with what it does, so that an import that was interrupted goes on when it is started again.
 *
 * @throws POSTGRES_UNREACHABLE, POSTGRES_DUMP_FAILED, CLEW_IMPORT_FILE; a single statement that fails is in the report
 */
export async function importDatabase(options: ImportOptions): Promise<ImportReport> {
  const { origin, from, targetAddress, activatesJobs, progress } = options
  const target = await openBulkConnection(targetAddress, 'clew import')
  try {
    if (from.kind === 'file')
      return await applyItems(readDumpFile(from.path), { target, source: nameOf(from.path), origin, progress })
    const source = await openBulkConnection(from.address, 'clew import')
    try {
      const items: AsyncIterable<ImportItem> = readDatabase({
        source,
        address: from.address,
        origin,
        activatesJobs,
        readsSecrets: true,
      })
      return await applyItems(items, { target, source: nameOf(withoutPassword(from.address)), origin, progress })
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}

/** A source's name in the journal, which tells no address. */
const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
