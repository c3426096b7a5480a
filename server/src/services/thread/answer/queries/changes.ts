import { type ClickHouseStatement, compileClickHouse } from '../../../../ground/sql/clickhouse.ts'
import { constant, empty, join, type SqlFragment, sql, typed } from '../../../../ground/sql/sql.ts'
import type { Change } from '../../schemas/change.ts'
import { at, byRequest, byRequestOfSession, claimColumns, count, texts } from './columns.ts'

/** A row of `changes` as ClickHouse answers it. */
export interface ChangeRow {
  readonly commit_time: string
  readonly lsn: string
  readonly seq: number
  /** A request's id, or that of a job's run. */
  readonly request_id: string
  readonly job_name: string
  readonly schema_name: string
  readonly table_name: string
  readonly operation: Change['operation']
  readonly key: string
  readonly previous_key: string
  readonly old: string
  readonly new: string
  readonly columns: readonly string[]
}

/** A row's key under one of the names that its table and key columns had. */
export interface RowKey {
  readonly schema: string
  readonly table: string
  /** As `keyText` renders it. */
  readonly key: string
}

export interface RowChangesQuery {
  readonly keys: readonly RowKey[]
  /** Only changes of these tables, and those that name none; null where that is not known. */
  readonly relations: readonly number[] | null
  readonly before: Pick<ChangeRow, 'lsn' | 'seq'> | null
  readonly limit: number
}

/** One name of a table, as ClickHouse answers it; `key_columns` and `key_numbers` are JSON. */
export interface NamesRow {
  readonly schema_name: string
  readonly table_name: string
  readonly key_columns: string
  readonly key_numbers: string
}

const changeColumns = constant(
  `commit_time, lsn, seq, request_id, job_name, schema_name, table_name, operation, key, previous_key, old, new, columns`,
)
/** Bound values travel in the address, which a server reads to some 16 KiB: a table's newest names. */
const namesPerTable = 20

const relationNumber = (relation: number): SqlFragment => sql`${typed(relation, 'UInt32')}`

// A change delivered twice may not have been merged yet: hence, in all of these, one by (lsn, seq).

/** Changes of these requests, read by the table's key, which a projection has by request. */
const madeBy = (requests: SqlFragment): SqlFragment =>
  sql`request_id in (${requests}) and (schema_name, table_name, key, lsn, seq) in (
      select schema_name, table_name, key, lsn, seq from changes where request_id in (${requests}))`

/** The changes that a session's requests made, in their order. */
export const selectSessionChangesStatement = (sessionId: string): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${changeColumns}
    from changes
    where ${madeBy(sql`select id from requests where session_id = ${sessionId} and writes`)}
    order by lsn, seq
    limit 1 by lsn, seq
    ${byRequestOfSession}`)

/** When users were deleted, by the API or by SQL, with the key of each as `changes` holds it. */
export const selectUserDeletionsStatement = (userIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select key, toUnixTimestamp64Milli(max(commit_time)) as deleted_ms
    from changes
    where schema_name = 'auth' and table_name = 'users' and operation = 'delete'
      and key in (${texts(userIds.map((id) => JSON.stringify({ id })))})
    group by key`)

/** The changes that a request, or a job's run, made, in their order: up to so many. */
export const selectCauseChangesStatement = (causeId: string, limit?: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${changeColumns}
    from changes
    where ${madeBy(sql`${causeId}`)}
    order by lsn, seq
    limit 1 by lsn, seq
    ${limit === undefined ? empty : sql`limit ${count(limit)}`}
    ${byRequest}`)

/** The last changes of each of these requests; one that was delivered twice may come twice. */
export const selectRequestsChangesStatement =
  (limit: number) =>
  (requestIds: readonly string[]): ClickHouseStatement =>
    compileClickHouse(sql`
      select ${changeColumns}
      from changes
      where request_id in (${texts(requestIds)})
      order by lsn desc, seq desc
      limit ${count(limit)} by request_id`)

/** The changes of a row under these keys, and truncations of its table, newest first. */
export function selectRowChangesStatement(query: RowChangesQuery): ClickHouseStatement {
  const { keys, limit } = query
  return compileClickHouse(sql`
    select ${changeColumns}
    from changes
    where (schema_name, table_name) in (${tablesOf(keys)})
      and key in (${join(keys.map(({ key }) => sql`${key}`))}, '{}')
      and ((schema_name, table_name, key) in (${placesOf(keys)}) or operation = 'truncate')
      and ${rowFilters(query)}
    ${newest(limit)}`)
}

/**
 * The changes that took one of these keys away from a row, newest first. Apart from the statement above: each is found
 * by an index of its own.
 */
export function selectKeyChangesStatement(query: RowChangesQuery): ClickHouseStatement {
  const { keys, limit } = query
  return compileClickHouse(sql`
    select ${changeColumns}
    from changes
    where (schema_name, table_name) in (${tablesOf(keys)})
      and previous_key in (${join(keys.map(({ key }) => sql`${key}`))})
      and (schema_name, table_name, previous_key) in (${placesOf(keys)})
      and ${rowFilters(query)}
    ${newest(limit)}`)
}

/** Which changes of a table are wanted: those of rows whose column has, or had, the value. */
export interface TableChangesQuery {
  readonly schema: string
  readonly table: string
  readonly column: string
  readonly value: string
  readonly before: Pick<ChangeRow, 'lsn' | 'seq'> | null
  readonly limit: number
}

/**
 * The changes of a table's rows with a value in a column, before or after, newest first. All changes of the table are read,
 * which are ordered by their rows' keys: hence a row's text is searched for the column's as `change-lines.ts` writes it,
 * without being parsed, and whole changes are read of one page alone.
 */
export function selectTableChangesStatement(query: TableChangesQuery): ClickHouseStatement {
  const { schema, table, column, value, before, limit } = query
  // Within a text each quote is escaped: a value that looks like this is none.
  const member = `${JSON.stringify(column)}:${JSON.stringify(value)}`
  const has = (values: 'new' | 'old'): SqlFragment => sql`position(${constant(values)}, ${member}) > 0`
  const ofTable = sql`schema_name = ${schema} and table_name = ${table}`
  return compileClickHouse(sql`
    select ${changeColumns}
    from changes
    where ${ofTable}
      and (lsn, seq) in (
        select lsn, seq
        from changes
        where ${ofTable} and ${beforeFilter(before)} and (${has('new')} or ${has('old')})
        ${newest(limit)}
      )
    ${newest(limit)}`)
}

const tablesOf = (keys: readonly RowKey[]): SqlFragment =>
  join(keys.map(({ schema, table }) => sql`(${schema}, ${table})`))

const placesOf = (keys: readonly RowKey[]): SqlFragment =>
  join(keys.map(({ schema, table, key }) => sql`(${schema}, ${table}, ${key})`))

const newest = (limit: number): SqlFragment =>
  sql`order by lsn desc, seq desc limit 1 by lsn, seq limit ${count(limit)}`

function rowFilters({ relations, before }: RowChangesQuery): SqlFragment {
  const ofTable = relations === null ? constant('true') : sql`relation in (0, ${join(relations.map(relationNumber))})`
  return sql`${ofTable} and ${beforeFilter(before)}`
}

const beforeFilter = (before: RowChangesQuery['before']): SqlFragment =>
  before === null
    ? constant('true')
    : sql`(lsn, seq) < (${typed(before.lsn, 'UInt64')}, ${typed(before.seq, 'UInt32')})`

/** Orders changes from the newest on. */
export const byNewest = (left: ChangeRow, right: ChangeRow): number =>
  left.lsn === right.lsn ? right.seq - left.seq : BigInt(left.lsn) < BigInt(right.lsn) ? 1 : -1

/** The names that these tables, and their key columns, had; the latest first. */
export const selectNamesStatement = (relations: readonly number[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select schema_name, table_name, key_columns, key_numbers
    from relations
    where relation in (${join(relations.map(relationNumber))})
    group by schema_name, table_name, key_columns, key_numbers
    order by max(lsn) desc
    limit ${count(namesPerTable)}`)

/** When the last change up to a place of the log was committed, and how many are kept until there. */
export const selectLastCommitStatement = (lsn: string): ClickHouseStatement =>
  compileClickHouse(
    sql`select max(commit_time) as time, count() as changes from changes where lsn <= ${typed(lsn, 'UInt64')}`,
  )

/** How many rows each request changed. */
export const countChangesStatement = (requestIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select request_id, uniqExact(lsn, seq) as changes
    from changes
    where request_id in (${texts(requestIds)})
    group by request_id
    ${byRequest}`)

/** Rows changed by the requests of these sessions, by what the requests say of who sent them. */
export function countChangesByClaimStatement(sessionIds: readonly string[]): ClickHouseStatement {
  const writing = sql`
    select id, ${claimColumns} from requests where session_id in (${texts(sessionIds)}) and writes`
  return compileClickHouse(sql`
    select ${claimColumns}, uniqExact(changes.lsn, changes.seq) as changes
    from changes
    inner join (${writing}) as written on written.id = changes.request_id
    where changes.request_id in (select id from (${writing}))
    group by ${claimColumns}
    ${byRequestOfSession}`)
}

/** How many rows were changed since an instant. */
export const countChangesSinceStatement = (since: Date): ClickHouseStatement =>
  compileClickHouse(sql`select uniqExact(lsn, seq) as changes from changes where commit_time >= ${at(since)}`)
