import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { clickhouseTime, instantOf } from '../record/request-lines.ts'
import type { ChangeRow, RequestRow, StatementRow } from './rows.ts'

/** Which requests are asked for. */
export interface RequestFilter {
  readonly limit: number
  /** Only those before this request. */
  readonly before?: string
  readonly method?: string
  /** `2xx` or an exact one. */
  readonly status?: string
  readonly service?: string
  readonly session?: string
  readonly q?: string
  /** Users whose e-mail `q` matched. */
  readonly userIds: readonly string[]
}

/** What a request says of who sent it; empty where it does not say. */
export interface ClaimRow {
  readonly session_id: string
  readonly window_id: string
  readonly distinct_id: string
  readonly user_id: string
  readonly auth_session_id: string
  readonly user_agent: string
}

/** Requests that say the same of who sent them. */
export interface RequestClaimRow extends ClaimRow {
  readonly first_ms: string
  readonly last_ms: string
  readonly ended_ms: string
  readonly request_count: string
  readonly error_count: string
}

export interface MinuteRow {
  readonly minute: string
  readonly requests: string
  readonly errors: string
  readonly p95: number
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

/** The questions to ClickHouse about requests, statements and changes. */
export type ThreadStore = ReturnType<typeof createStore>

const requestColumns = constant(
  `id, time, duration_ms, database_ms, service, method, path, query, status, error_code, rows, role, user_id,
   auth_session_id, session_id, window_id, distinct_id, channel, exact, request_bytes, response_bytes, remote_address, user_agent,
   statements`,
)
const statementColumns = constant('request_id, time, text, parameter_types, rows, duration_ms, role, error_code')
const changeColumns = constant(
  `commit_time, lsn, seq, request_id, schema_name, table_name, operation, key, previous_key, old, new, columns`,
)
const claimColumns = constant('session_id, window_id, distinct_id, user_id, auth_session_id, user_agent')
/** Somebody who changes what they say with every request is not heard out. */
const claimsPerSession = 500
/** The person leaving (499) is no error of the answer. */
const isError = constant('(status >= 400 and status != 499)')

/** Bound values travel in the address, which a server reads to some 16 KiB. */
const idsPerQuestion = 100
/** The same holds for a table's names, newest first. */
const namesPerTable = 20

const relationNumber = (relation: number): SqlFragment => sql`${typed(relation, 'UInt32')}`

const newestFirst = (left: ChangeRow, right: ChangeRow): number =>
  left.lsn === right.lsn ? right.seq - left.seq : BigInt(left.lsn) < BigInt(right.lsn) ? 1 : -1

const at = (instant: Date) => typed(clickhouseTime(instant), "DateTime64(3, 'UTC')")
const texts = (values: readonly string[]) => typed([...values], 'Array(String)')

/** Makes the questions on one ClickHouse. */
export function createStore(clickhouse: Pick<ClickHouse, 'query'>) {
  const ask = <Row>(fragment: SqlFragment): Promise<readonly Row[]> =>
    clickhouse.query<Row>(compileClickHouse(fragment))

  const askInPieces = async <Row>(
    ids: readonly string[],
    question: (some: readonly string[]) => SqlFragment,
  ): Promise<readonly Row[]> => {
    const answers: Row[] = []
    for (let from = 0; from < ids.length; from += idsPerQuestion)
      answers.push(...(await ask<Row>(question(ids.slice(from, from + idsPerQuestion)))))
    return answers
  }

  const requestsById = (ids: readonly string[]): Promise<readonly RequestRow[]> =>
    askInPieces(ids, (some) => sql`select ${requestColumns} from requests where id in (${texts(some)})`)

  return {
    requestsById,

    async requests(filter: RequestFilter): Promise<readonly RequestRow[]> {
      const conditions = [constant('true'), ...requestConditions(filter)]
      if (filter.before !== undefined) {
        const [cursor] = await requestsById([filter.before])
        if (cursor === undefined) return []
        const time = typed(cursor.time, "DateTime64(3, 'UTC')")
        conditions.push(sql`(time < ${time} or (time = ${time} and id < ${cursor.id}))`)
      }
      return ask(sql`
        select ${requestColumns}
        from requests
        where ${join(conditions, ' and ')}
        order by time desc, id desc
        limit ${typed(filter.limit, 'UInt32')}`)
    },

    requestsOfSession: (sessionId: string, limit: number): Promise<readonly RequestRow[]> =>
      ask(sql`
        select ${requestColumns}
        from requests
        where session_id = ${sessionId}
        order by time, id
        limit ${typed(limit, 'UInt32')}`),

    statementsOfSession: (sessionId: string): Promise<readonly StatementRow[]> =>
      ask(sql`
        select ${statementColumns}
        from statements
        where request_id in (select id from requests where session_id = ${sessionId})
        order by request_id, ordinal`),

    statementsOfRequest: (id: string): Promise<readonly StatementRow[]> =>
      ask(sql`select ${statementColumns} from statements where request_id = ${id} order by ordinal`),

    // A change delivered twice may not have been merged yet: hence one by (lsn, seq).
    changesOfSession: (sessionId: string): Promise<readonly ChangeRow[]> =>
      ask(sql`
        select ${changeColumns}
        from changes
        where request_id in (select id from requests where session_id = ${sessionId} and writes)
        order by lsn, seq
        limit 1 by lsn, seq`),

    changesOfRequest: (id: string): Promise<readonly ChangeRow[]> =>
      ask(sql`
        select ${changeColumns} from changes where request_id = ${id} order by lsn, seq limit 1 by lsn, seq`),

    /** Newest first, below `before` when that is not null: changes of the row under this key, and those that took it away. */
    async changesOfRow({ keys, relations, before, limit }: RowChangesQuery): Promise<readonly ChangeRow[]> {
      const filters = join(
        [
          relations === null ? constant('true') : sql`relation in (0, ${join(relations.map(relationNumber))})`,
          before === null
            ? constant('true')
            : sql`(lsn, seq) < (${typed(before.lsn, 'UInt64')}, ${typed(before.seq, 'UInt32')})`,
        ],
        ' and ',
      )
      const tables = join(keys.map(({ schema, table }) => sql`(${schema}, ${table})`))
      const texts = join(keys.map(({ key }) => sql`${key}`))
      const places = join(keys.map(({ schema, table, key }) => sql`(${schema}, ${table}, ${key})`))
      const newest = sql`order by lsn desc, seq desc limit 1 by lsn, seq limit ${typed(limit, 'UInt32')}`
      // Apart: each is found by an index of its own.
      const [under, away] = await Promise.all([
        ask<ChangeRow>(sql`
          select ${changeColumns}
          from changes
          where (schema_name, table_name) in (${tables})
            and key in (${texts}, '{}')
            and ((schema_name, table_name, key) in (${places}) or operation = 'truncate')
            and ${filters}
          ${newest}`),
        ask<ChangeRow>(sql`
          select ${changeColumns}
          from changes
          where (schema_name, table_name) in (${tables})
            and previous_key in (${texts})
            and (schema_name, table_name, previous_key) in (${places})
            and ${filters}
          ${newest}`),
      ])
      return [...under, ...away].sort(newestFirst).slice(0, limit)
    },

    /** The names that these tables, and their key columns, had. */
    namesOf: (relations: readonly number[]): Promise<readonly NamesRow[]> =>
      ask(sql`
        select schema_name, table_name, key_columns, key_numbers
        from relations
        where relation in (${join(relations.map(relationNumber))})
        group by schema_name, table_name, key_columns, key_numbers
        order by max(lsn) desc
        limit ${typed(namesPerTable, 'UInt32')}`),

    /** When the last change up to here was committed; null where none is kept. */
    async lastCommitUntil(lsn: string): Promise<string | null> {
      const [row] = await ask<{ time: string; changes: string }>(
        sql`select max(commit_time) as time, count() as changes from changes where lsn <= ${typed(lsn, 'UInt64')}`,
      )
      return row === undefined || row.changes === '0' ? null : row.time
    },

    async changeCounts(requestIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await askInPieces<{ request_id: string; changes: string }>(
        requestIds,
        (some) => sql`
          select request_id, uniqExact(lsn, seq) as changes
          from changes
          where request_id in (${texts(some)})
          group by request_id`,
      )
      return new Map(rows.map((row) => [row.request_id, Number(row.changes)]))
    },

    /** Rows changed by the requests of these sessions, by what the requests say of who sent them. */
    changeClaims: (sessionIds: readonly string[]): Promise<readonly (ClaimRow & { readonly changes: string })[]> =>
      askInPieces(sessionIds, (some) => {
        const writing = sql`
          select id, ${claimColumns} from requests where session_id in (${texts(some)}) and writes`
        return sql`
          select ${claimColumns}, uniqExact(changes.lsn, changes.seq) as changes
          from changes
          inner join (${writing}) as written on written.id = changes.request_id
          where changes.request_id in (select id from (${writing}))
          group by ${claimColumns}`
      }),

    /** The requests of these sessions, by what they say of who sent them. */
    requestClaims: (sessionIds: readonly string[]): Promise<readonly RequestClaimRow[]> =>
      askInPieces(
        sessionIds,
        (some) => sql`
          select
            ${claimColumns},
            toUnixTimestamp64Milli(min(time)) as first_ms,
            toUnixTimestamp64Milli(max(time)) as last_ms,
            max(toUnixTimestamp64Milli(time) + toInt64(duration_ms)) as ended_ms,
            count() as request_count,
            countIf(${isError}) as error_count
          from requests
          where session_id in (${texts(some)})
          group by ${claimColumns}
          order by request_count desc
          limit ${typed(claimsPerSession, 'UInt32')} by session_id`,
      ),

    /** Sessions of requests, newest start first. */
    async sessionStarts(query: {
      readonly startedBefore?: Date
      readonly limit: number
    }): Promise<readonly { readonly sessionId: string; readonly startedAt: Date }[]> {
      const rows = await ask<{ session_id: string; started_at: string }>(sql`
        select session_id, min(time) as started_at
        from requests
        where session_id != ''
        group by session_id
        having started_at < ${at(query.startedBefore ?? farFuture)}
        order by started_at desc
        limit ${typed(query.limit, 'UInt32')}`)
      return rows.map((row) => ({ sessionId: row.session_id, startedAt: instantOf(row.started_at) }))
    },

    /**
     * Of which sessions, newest first, a request's path, person, user or id is `text`, or its path contains it; with
     * what the request says of who sent it.
     */
    sessionsMatching: (text: string, limit: number): Promise<readonly ClaimRow[]> =>
      ask(sql`
        select ${claimColumns}
        from requests
        where session_id != ''
          and (session_id = ${text} or distinct_id = ${text} or user_id = ${text} or id = ${text}
            or positionCaseInsensitiveUTF8(path, ${text}) > 0)
        group by ${claimColumns}
        order by max(time) desc
        limit ${typed(limit, 'UInt32')}`),

    minutes: (since: Date): Promise<readonly MinuteRow[]> =>
      ask(sql`
        select
          toStartOfMinute(time) as minute,
          count() as requests,
          countIf(${isError}) as errors,
          quantile(0.95)(duration_ms) as p95
        from requests
        where time >= ${at(since)}
        group by minute`),

    async changesSince(since: Date): Promise<number> {
      const [row] = await ask<{ changes: string }>(
        sql`select uniqExact(lsn, seq) as changes from changes where commit_time >= ${at(since)}`,
      )
      return Number(row?.changes ?? 0)
    },

    async sessionIdsSince(since: Date): Promise<readonly string[]> {
      const rows = await ask<{ session_id: string }>(
        sql`select distinct session_id from requests where time >= ${at(since)} and session_id != ''`,
      )
      return rows.map((row) => row.session_id)
    },

    /** Who made requests: distinct ids and users, empty where not known. */
    peopleSince: (since: Date): Promise<readonly { readonly distinct_id: string; readonly user_id: string }[]> =>
      ask(sql`
        select distinct distinct_id, user_id
        from requests
        where time >= ${at(since)} and (distinct_id != '' or user_id != '')`),

    async firstRequestAt(since: Date): Promise<string | null> {
      const [row] = await ask<{ time: string }>(
        sql`select time from requests where time >= ${at(since)} order by time limit 1`,
      )
      return row?.time ?? null
    },
  }
}

const farFuture = new Date('2200-01-01T00:00:00Z')

function requestConditions(filter: RequestFilter): SqlFragment[] {
  const conditions: SqlFragment[] = []
  if (filter.method !== undefined) conditions.push(sql`method = ${filter.method.toUpperCase()}`)
  if (filter.service !== undefined) conditions.push(sql`service = ${filter.service}`)
  if (filter.session !== undefined) conditions.push(sql`session_id = ${filter.session}`)
  if (filter.status === 'error') {
    conditions.push(isError)
  } else if (filter.status?.endsWith('xx')) {
    const from = Number(filter.status[0]) * 100
    conditions.push(sql`status between ${typed(from, 'UInt16')} and ${typed(from + 99, 'UInt16')}`)
  } else if (filter.status !== undefined) {
    conditions.push(sql`status = ${typed(Number(filter.status), 'UInt16')}`)
  }
  const { q } = filter
  if (q !== undefined && q !== '') {
    const users = filter.userIds.length === 0 ? sql`` : sql` or user_id in (${texts(filter.userIds)})`
    conditions.push(sql`(id = ${q} or session_id = ${q} or distinct_id = ${q} or user_id = ${q}${users}
      or positionCaseInsensitiveUTF8(path, ${q}) > 0)`)
  }
  return conditions
}
