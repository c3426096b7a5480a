import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { type ServerLogsPage, type ServerLogsQuery, serverLogLevels } from '../../../ground/traces/server-trace.ts'
import { type LogRow, logRowColumns } from './queries.ts'
import { renderLog } from './traces.ts'

/** What servers logged, whether it belongs to a trace or session or to none. */
export interface LogList {
  list(query: ServerLogsQuery): Promise<ServerLogsPage>
  /** The names of the services that logged, by the alphabet. */
  services(): Promise<readonly string[]>
}

const hourMs = 60 * 60_000
// The table is sorted by traces: what is newest is looked for in the last hour, then in the last day, then everywhere.
const stretchesMs = [hourMs, 24 * hourMs, null]
const mostServices = 200

export const createLogList = ({ query }: Pick<ClickHouse, 'query'>, now: () => Date): LogList => ({
  async list({ limit, before, ...asked }) {
    const cursor = before === null ? null : readCursor(before)
    const fromMs = cursor === null ? now().getTime() : Number(cursor.nanos / nanosAMs)
    let rows: readonly LogRow[] = []
    for (const stretchMs of stretchesMs) {
      const since = stretchMs === null ? null : fromMs - stretchMs
      rows = await query<LogRow>(selectLogListStatement({ ...asked, cursor, since, limit: limit + 1 }))
      if (rows.length > limit) break
    }
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      logs: shown.map(renderLog),
      next: rows.length > limit && last !== undefined ? `${last.time_ns}.${last.id}` : null,
    }
  },
  services: async () => (await query<{ service: string }>(selectServicesStatement())).map(({ service }) => service),
})

const nanosAMs = 1_000_000n

/** The place of a record in the list: its nanoseconds and its id. */
interface Cursor {
  readonly nanos: bigint
  readonly id: string
}

/** The record that a page ends with; the end of the list where a text names none. */
function readCursor(text: string): Cursor {
  const [, nanos = '0', id = ''] = /^(\d{1,20})\.([0-9a-f]{1,64}-\d{1,10})$/.exec(text) ?? []
  return { nanos: BigInt.asUintN(64, BigInt(nanos)), id }
}

interface ListFilter extends Omit<ServerLogsQuery, 'before'> {
  readonly cursor: Cursor | null
  /** Milliseconds since 1970; null for all that is kept. */
  readonly since: number | null
}

const at = (ms: number): SqlFragment => sql`fromUnixTimestamp64Milli(${typed(ms, 'Int64')}, 'UTC')`

function selectLogListStatement({ service, level, q, cursor, since, limit }: ListFilter): ClickHouseStatement {
  const conditions: SqlFragment[] = [sql`true`]
  if (since !== null) conditions.push(sql`time >= ${at(since)}`)
  if (cursor !== null) {
    const nanos = typed(String(cursor.nanos), 'UInt64')
    conditions.push(sql`time <= ${at(Number(cursor.nanos / nanosAMs))}`)
    conditions.push(sql`(time_ns < ${nanos} or (time_ns = ${nanos} and id < ${cursor.id}))`)
  }
  if (service !== null) conditions.push(sql`service = ${service}`)
  if (level !== null) {
    const levels = serverLogLevels.slice(serverLogLevels.indexOf(level))
    conditions.push(sql`level in ${typed(levels, 'Array(String)')}`)
  }
  if (q !== null && q !== '') conditions.push(sql`(trace_id = ${q} or positionCaseInsensitiveUTF8(text, ${q}) > 0)`)
  return compileClickHouse(sql`
    select ${logRowColumns}
    from server_logs
    where ${join(conditions, ' and ')}
    order by time_ns desc, id desc
    limit 1 by id
    limit ${typed(limit, 'UInt32')}`)
}

const selectServicesStatement = (): ClickHouseStatement =>
  compileClickHouse(sql`
    select distinct service
    from server_logs
    where service != ''
    order by service
    limit ${typed(mostServices, 'UInt32')}`)
