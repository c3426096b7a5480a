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

/** Takes a request out of the queue. */
export const deleteRequestStatement = (id: string): Statement =>
  compile(sql`delete from net.http_request_queue where id = ${typed(id, 'bigint')}`)

/** Moves a request from the queue to the log. */
export const logRequestStatement = (id: string, outcome: Outcome): Statement =>
  compile(sql`
    with finished as (
      delete from net.http_request_queue
      where id = ${typed(id, 'bigint')}
      returning id, cause_id, method, url, queued_at, claimed_at
    )
    insert into clew_net.sent_requests (request_id, cause_id, method, url, queued_at, sent_at, status_code, error)
    select id, cause_id, method, url, queued_at, coalesce(claimed_at, now()),
      ${typed(outcome.kind === 'response' ? outcome.status : null, 'int')},
      ${typed(outcome.kind === 'response' ? null : outcome.message, 'text')}
    from finished`)

/** Deletes what is in the log from before a moment. */
export const deleteSentStatement = (before: Date): Statement =>
  compile(sql`delete from clew_net.sent_requests where finished_at < ${before}`)

/** What a request came to, as `net._http_response` shows it. */
export function insertResponseStatement(id: string, outcome: Outcome): Statement {
  if (outcome.kind !== 'response')
    return compile(sql`
      insert into net._http_response (id, timed_out, error_msg)
      values (${typed(id, 'bigint')}, ${outcome.kind === 'timeout'}, ${outcome.message})`)
  const { status, contentType, headers, content } = outcome
  return compile(sql`
    insert into net._http_response (id, status_code, content_type, headers, content, timed_out)
    values (
      ${typed(id, 'bigint')}, ${status}, ${contentType}, ${typed(JSON.stringify(headers), 'jsonb')}, ${content}, false
    )`)
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
