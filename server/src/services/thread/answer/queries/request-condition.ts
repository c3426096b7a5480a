import { join, type SqlFragment, sql, typed } from '../../../../ground/sql/sql.ts'
import { at, isError } from './columns.ts'

/** What a request is like; what is absent is not asked for. */
export interface RequestCondition {
  /** One status, a class as `5xx`, or `error`: all that the overview counts as errors. */
  readonly status?: string
  /** Milliseconds that it took at least. */
  readonly requestMs?: number
  /** Milliseconds that one of its statements took at least. */
  readonly statementMs?: number
  /** `schema.table` of rows that it changed. */
  readonly table?: string
}

/** Instants between which requests are looked for, for the tables beside them; null where there is no bound. */
export interface Between {
  readonly from: Date | null
  readonly before: Date | null
}

const farthest = new Date('2200-01-01T00:00:00Z')

/** How long after its beginning a request still runs statements and commits. */
const longestCallMs = 3_600_000

/** The parts of a condition, of which a request meets each; statements and changes are looked for near its time. */
export function requestConditionParts(
  { status, requestMs, statementMs, table = '' }: RequestCondition,
  { from, before }: Between,
): readonly SqlFragment[] {
  const dot = table.indexOf('.')
  const [schema, name] = [table.slice(0, dot), table.slice(dot + 1)]
  const since = at(from ?? new Date(0))
  const until = at(before === null ? farthest : new Date(before.getTime() + longestCallMs))
  return [
    ...(status === undefined ? [] : [isStatus(status)]),
    ...(requestMs === undefined ? [] : [sql`duration_ms >= ${typed(requestMs, 'Float64')}`]),
    ...(statementMs === undefined
      ? []
      : [
          sql`id in (
            select request_id from statements
            where duration_ms >= ${typed(statementMs, 'Float64')} and time >= ${since} and time < ${until})`,
        ]),
    ...(table === ''
      ? []
      : [
          sql`writes and id in (
            select request_id from changes
            where schema_name = ${schema} and table_name = ${name}
              and commit_time >= ${since} and commit_time < ${until})`,
        ]),
  ]
}

/** All parts of a condition in one. */
export const meets = (condition: RequestCondition, between: Between): SqlFragment =>
  join(requestConditionParts(condition, between), ' and ')

function isStatus(text: string): SqlFragment {
  if (text === 'error') return isError
  if (!text.endsWith('xx')) return sql`status = ${typed(Number(text), 'UInt16')}`
  const first = Number(text[0]) * 100
  return sql`(status >= ${typed(first, 'UInt16')} and status < ${typed(first + 100, 'UInt16')})`
}
