import { connectClickHouse } from '../../engines/clickhouse/index.ts'
import { openBulkConnection } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { type ExportedKind, type ExportFormat, exportRows } from '../../transfer/index.ts'
import { databaseAddress } from '../database-address.ts'
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
  const address = await databaseAddress(directory)
  const clickhouse = connectClickHouse(eventsAddress(await settingsOf({ ...directory })))
  const database = await openBulkConnection(address, 'clew export')
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
