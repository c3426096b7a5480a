import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'
import type { ExportedKind, ExportFormat } from '../deps.ts'
import type { PendingFile } from '../store/runs.ts'

type TableKind = Exclude<ExportedKind, 'persons'>

const tables: Readonly<Record<TableKind, string>> = { events: 'events', requests: 'requests', recordings: 'snapshots' }
/** A message of a recording is as large as some fifty events. */
const weights: Readonly<Record<TableKind, number>> = { events: 1, requests: 1, recordings: 50 }

/** How many rows of a kind are in one file. */
export const rowsOfFile = (kind: TableKind, rowsPerFile: number): number =>
  Math.max(1, Math.floor(rowsPerFile / weights[kind]))

/** Rows that were stored from an instant on, and before another one. */
export interface Span {
  readonly from: Date | null
  readonly to: Date
}

/** When the row was stored that is one too many for a file, in Unix milliseconds; no row where all fit. */
export const findCutStatement = (kind: TableKind, { from, to }: Span, rows: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select toString(toUnixTimestamp64Milli(stored_at)) as at
    from ${constant(tables[kind])}
    where stored_at >= fromUnixTimestamp64Milli(${typed(from?.getTime() ?? 0, 'Int64')}, 'UTC')
      and stored_at < fromUnixTimestamp64Milli(${typed(to.getTime(), 'Int64')}, 'UTC')
    order by stored_at
    limit 1 offset ${typed(rows, 'UInt64')}`)

/** Where a file ends: before the row that is one too many, and after all that was stored with the first. */
export function cutSpan({ from, to }: Span, cutMs: number | null): Span {
  if (cutMs === null) return { from, to }
  const isFirst = from !== null && cutMs <= from.getTime()
  return { from, to: new Date(isFirst ? cutMs + 1 : cutMs) }
}

/** `20260131T120000.000Z`, which every file system takes. */
const stamp = (at: Date): string => at.toISOString().replaceAll(/[-:]/g, '')

/** The name of a file: what it is of, the day on which its last rows were stored, and the span that it has. */
export function planFile(kind: ExportedKind, format: ExportFormat, prefix: string, { from, to }: Span): PendingFile {
  const name = kind === 'persons' ? stamp(to) : `${from === null ? 'start' : stamp(from)}-${stamp(to)}`
  const folders = [prefix, kind, `date=${to.toISOString().slice(0, 10)}`].filter((each) => each !== '')
  return {
    kind,
    from: from?.toISOString() ?? null,
    to: to.toISOString(),
    key: `${folders.join('/')}/${name}.${format}`,
  }
}
