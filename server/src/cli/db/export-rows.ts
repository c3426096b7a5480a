import { join } from 'node:path'
import { connectClickHouse } from '../../engines/clickhouse/index.ts'
import { openBulkConnection, openCopiedServer } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { directoryOf } from '../../instance/directory.ts'
import { findHolder } from '../../instance/lock.ts'
import type { Settings } from '../../settings/index.ts'
import { type Administrator, type ExportedKind, type ExportFormat, exportRows } from '../../transfer/index.ts'
import type { DatabaseOptions } from '../options.ts'
import { parseDate } from '../parse-date.ts'
import { green, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { eventsAddress } from './export.ts'

export interface ExportRowsOptions extends DatabaseOptions {
  readonly format: ExportFormat
  readonly out?: string
  readonly from?: string
  readonly before?: string
  readonly json?: boolean
}

/** Writes the rows of one kind into a file. @throws CLEW_START_SETTING, CLEW_FILE, CLEW_NOT_RUNNING */
export async function exportKind(kind: ExportedKind, options: ExportRowsOptions): Promise<number> {
  const { format, out = `${kind}.${format}`, from, before, json = false, dbUrl, ...directory } = options
  if (dbUrl !== undefined)
    throw instanceError('CLEW_START_SETTING', { message: '--db-url names a database without events and persons.' })
  const [fromDate, toDate] = [parseDate('--from', from), parseDate('--before', before)]
  const settings = await settingsOf({ ...directory })
  const database = await openAdministrator(settings)
  const clickhouse = connectClickHouse(eventsAddress(settings))
  try {
    const span = { by: 'arrival', from: fromDate, to: toDate } as const
    const written = await exportRows({ kind, format, ...span, out, clickhouse, database })
    if (json) print(JSON.stringify({ file: out, ...written }, null, 2))
    else print(`  ${green('✓')} ${out}: ${written.rows} rows, ${written.bytes} bytes`)
    return 0
  } finally {
    await Promise.all([clickhouse.close(), database.close()])
  }
}

/** The owner of the application's database, `postgres`, may not read what Clew keeps there. @throws CLEW_NOT_RUNNING */
async function openAdministrator({ instance }: Settings): Promise<Administrator & { close(): Promise<void> }> {
  if (instance.databaseUrl !== null) return openBulkConnection(instance.databaseUrl, 'clew export')
  const directory = directoryOf(instance.data)
  if ((await findHolder(directory.data)) === null) throw instanceError('CLEW_NOT_RUNNING')
  const server = await openCopiedServer(join(directory.sockets, 'postgres'))
  return { query: async (statement) => ({ rows: await server.query(statement) }), close: server.close }
}
