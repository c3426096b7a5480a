import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'
import type { Outcome } from '../calls/call.ts'

/** A request of `net.http_request_queue` that is ours to send. */
export interface RequestRow {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: unknown
  /** Null where there is none, or one that is too large. */
  readonly body: Buffer | null
  readonly bodyTooLarge: boolean
  readonly timeoutMs: number
  readonly causeId: string | null
}

/**
 * Runs `body` while pg_net's tables are locked against being dropped; null where they do not exist. Tables of these
 * names that the application made are not touched: its triggers would run with the administrator's rights.
 */
export async function withTables<T>(on: Sql, body: (tables: Sql) => Promise<T>): Promise<T | null> {
  if (!(await areInstalled(on))) return null
  return on.transaction(async (transaction) => {
    await transaction.query(lockStatement())
    return (await areInstalled(transaction)) ? body(transaction) : null
  })
}

async function areInstalled(on: Sql): Promise<boolean> {
  const { rows } = await on.query<{ installed: boolean }>(installedStatement())
  return rows[0]?.installed === true
}

/** Whether both tables exist and belong to the administrator, as those of the extension do. */
const installedStatement = (): Statement =>
  compile(sql`
    select count(*) = 2 as installed
    from pg_catalog.pg_class
    where oid in (to_regclass('net.http_request_queue'), to_regclass('net._http_response'))
      and pg_get_userbyid(relowner) = current_user`)

const lockStatement = (): Statement =>
  compile(sql`lock table net.http_request_queue, net._http_response in row exclusive mode`)

/** Marks the oldest requests as claimed, and returns them. @param hasCause false for an older pg_net */
export const claimRequestsStatement = (limit: number, maxBodyBytes: number, hasCause: boolean): Statement =>
  compile(sql`
    with next as materialized (
      select id
      from net.http_request_queue
      where claimed_at is null
      order by id
      limit ${limit}
      for update skip locked
    )
    update net.http_request_queue as q
    set claimed_at = now()
    from next
    where q.id = next.id
    returning q.id, q.method, q.url, q.headers, q.timeout_milliseconds as "timeoutMs",
      ${hasCause ? constant('q.cause_id') : constant('null::text')} as "causeId",
      case when octet_length(q.body) <= ${typed(maxBodyBytes, 'int')} then q.body end as body,
      coalesce(octet_length(q.body) > ${typed(maxBodyBytes, 'int')}, false) as "bodyTooLarge"`)

/** Moves what an earlier process had claimed to the responses: it may have been sent, so it is not sent again. */
export const recoverRequestsStatement = (message: string): Statement =>
  compile(sql`
    with lost as (
      delete from net.http_request_queue
      where claimed_at is not null
      returning id
    )
    insert into net._http_response (id, timed_out, error_msg)
    select id, false, ${typed(message, 'text')}
    from lost`)

/** Whether requests that were sent are logged: only where webhooks are Clew's own. */
export const isLogKeptStatement = (): Statement =>
  compile(sql`select to_regclass('clew_net.sent_requests') is not null as kept`)

/** What a request came to. */
export interface FinishedRequest {
  readonly id: string
  readonly outcome: Outcome
}

/** Takes requests out of the queue. */
export const deleteRequestsStatement = (finished: readonly FinishedRequest[]): Statement =>
  compile(sql`
    delete from net.http_request_queue as q
    using ${outcomesOf(finished)}
    where q.id = o.id`)

/** Moves requests from the queue to the log. */
export const logRequestsStatement = (finished: readonly FinishedRequest[]): Statement =>
  compile(sql`
    with finished as (
      delete from net.http_request_queue as q
      using ${outcomesOf(finished)}
      where q.id = o.id
      returning q.id, q.cause_id, q.method, q.url, q.queued_at, q.claimed_at, o.status_code, o.error_msg
    )
    insert into clew_net.sent_requests (request_id, cause_id, method, url, queued_at, sent_at, status_code, error)
    select id, cause_id, method, url, queued_at, coalesce(claimed_at, now()), status_code, error_msg
    from finished`)

/** Deletes what is in the log from before a moment. */
export const deleteSentStatement = (before: Date): Statement =>
  compile(sql`delete from clew_net.sent_requests where finished_at < ${before}`)

/** What requests came to, as `net._http_response` shows it. */
export const insertResponsesStatement = (finished: readonly FinishedRequest[]): Statement =>
  compile(sql`
    insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
    select o.id, o.status_code, o.content_type, o.headers, o.content, o.timed_out, o.error_msg
    from ${outcomesOf(finished, (response) => ({
      content_type: response.contentType,
      headers: response.headers,
      content: response.content,
    }))}`)

type Response = Extract<Outcome, { readonly kind: 'response' }>

/** Rows `o` of what requests came to; of their responses the status, and what `more` takes. */
function outcomesOf(finished: readonly FinishedRequest[], more: (response: Response) => object = () => ({})) {
  const rows = finished.map(({ id, outcome }) =>
    outcome.kind === 'response'
      ? { id, timed_out: false, status_code: outcome.status, ...more(outcome) }
      : { id, timed_out: outcome.kind === 'timeout', error_msg: outcome.message },
  )
  return sql`json_to_recordset(${typed(JSON.stringify(rows), 'json')}) as o (
    id bigint, timed_out boolean, status_code int, error_msg text, content_type text, headers jsonb, content text
  )`
}

/** Deletes responses of before a moment. */
export const deleteResponsesStatement = (before: Date): Statement =>
  compile(sql`delete from net._http_response where created < ${before}`)

/** How long the oldest request has waited, in seconds; no row where none waits. */
export const requestLagStatement = (): Statement =>
  compile(sql`
    select extract(epoch from clock_timestamp() - queued_at)::float8 as seconds
    from net.http_request_queue
    where claimed_at is null
    order by id
    limit 1`)
