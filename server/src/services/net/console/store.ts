import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, empty, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A trigger that calls `supabase_functions.http_request()`. */
export interface HookRow {
  readonly schema: string
  readonly table: string
  readonly name: string
  /** As `pg_trigger.tgtype`. */
  readonly type: number
  readonly enabled: boolean
  /** The trigger's arguments, each ended by a zero byte. */
  readonly arguments: Buffer
  readonly lastState: DeliveryState | null
  readonly lastAt: Date | null
}

export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed'

/** A delivery of a webhook with its last attempt. */
export interface DeliveryRow {
  readonly id: string
  readonly requestId: string
  readonly causeId: string | null
  readonly hook: string
  readonly schema: string
  readonly table: string
  readonly event: string
  readonly method: string
  readonly url: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: Date
  readonly nextAttemptAt: Date | null
  readonly finishedAt: Date | null
  readonly status: number | null
  readonly error: string | null
  readonly lastAt: Date | null
}

/** A delivery with what it sends. */
export interface DeliveryDetailRow extends DeliveryRow {
  readonly messageId: string
  readonly headers: unknown
  readonly body: Buffer | null
}

export interface AttemptRow {
  readonly attempt: number
  readonly startedAt: Date
  readonly durationMs: number | null
  readonly status: number | null
  readonly error: string | null
}

/** A request of pg_net, waiting or sent. */
export interface SentRow {
  /** Null while it waits. */
  readonly id: string | null
  readonly requestId: string
  readonly causeId: string | null
  readonly method: string
  readonly url: string
  readonly queuedAt: Date
  readonly sentAt: Date | null
  readonly finishedAt: Date | null
  readonly status: number | null
  readonly error: string | null
}

export interface ResponseRow {
  readonly status: number | null
  readonly contentType: string | null
  readonly headers: unknown
  readonly content: string | null
  readonly error: string | null
}

/** Whether webhooks, and requests of pg_net, are Clew's own here. */
export const findNetStatement = (): Statement =>
  compile(sql`
    select to_regclass('clew_net.sent_requests') is not null as webhooks,
      to_regclass('net.http_request_queue') is not null as requests`)

const functionOfHooks = constant(`(
  select p.oid
  from pg_catalog.pg_proc p
  where p.pronamespace = to_regnamespace('supabase_functions') and p.proname = 'http_request' and p.pronargs = 0
)`)

export const selectHooksStatement = (): Statement =>
  compile(sql`
    select n.nspname as schema, c.relname as table, t.tgname as name, t.tgtype::int as type,
      t.tgenabled <> 'D' as enabled, t.tgargs as arguments, last.state as "lastState", last.at as "lastAt"
    from pg_catalog.pg_trigger t
    join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join lateral (
      select d.state, d.created_at as at
      from clew_net.deliveries d
      where d.table_schema = n.nspname and d.table_name = c.relname and d.hook_name = t.tgname
      order by d.id desc
      limit 1
    ) last on true
    where t.tgfoid = ${functionOfHooks} and not t.tgisinternal
    order by n.nspname, c.relname, t.tgname
    limit 10000`)

export interface DeliveriesFilter {
  readonly hook: { readonly schema: string; readonly table: string; readonly name: string } | null
  readonly state: DeliveryState | null
  readonly before: string | null
  readonly limit: number
}

const deliveryColumns = constant(`
  d.id::text as id, d.request_id::text as "requestId", d.cause_id as "causeId", d.hook_name as hook,
  d.table_schema as schema, d.table_name as table, d.event, d.method, d.url, d.state, d.attempts,
  d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt",
  last.status_code as status, last.error, last.started_at as "lastAt"`)

const withLastAttempt = constant(`
  left join lateral (
    select a.status_code, a.error, a.started_at
    from clew_net.delivery_attempts a
    where a.delivery_id = d.id
    order by a.attempt desc
    limit 1
  ) last on true`)

export function selectDeliveriesStatement({ hook, state, before, limit }: DeliveriesFilter): Statement {
  const conditions: SqlFragment[] = []
  if (hook !== null)
    conditions.push(
      sql`d.table_schema = ${hook.schema} and d.table_name = ${hook.table} and d.hook_name = ${hook.name}`,
    )
  if (state !== null) conditions.push(sql`d.state = ${state}`)
  if (before !== null) conditions.push(sql`d.id < ${typed(before, 'bigint')}`)
  return compile(sql`
    select ${deliveryColumns}
    from clew_net.deliveries d
    ${withLastAttempt}
    ${conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`}
    order by d.id desc
    limit ${limit}`)
}

export const selectDeliveryStatement = (id: string): Statement =>
  compile(sql`
    select ${deliveryColumns}, d.message_id as "messageId", d.headers,
      case when octet_length(d.body) <= 262144 then d.body end as body
    from clew_net.deliveries d
    ${withLastAttempt}
    where d.id = ${typed(id, 'bigint')}`)

export const selectAttemptsStatement = (id: string): Statement =>
  compile(sql`
    select attempt, started_at as "startedAt", duration_ms as "durationMs", status_code as status, error
    from clew_net.delivery_attempts
    where delivery_id = ${typed(id, 'bigint')}
    order by attempt desc`)

/** What came back, as long as pg_net keeps it. */
export const selectResponseStatement = (requestId: string): Statement =>
  compile(sql`
    select status_code as status, content_type as "contentType", headers, left(content, 262144) as content,
      error_msg as error
    from net._http_response
    where id = ${typed(requestId, 'bigint')}
    order by created desc
    limit 1`)

/** Makes a delivery due now, and wakes the sender; no row for one whose body is gone, or that is being sent. */
export const sendAgainStatement = (id: string): Statement =>
  compile(sql`
    with due as (
      update clew_net.deliveries
      set state = 'waiting', next_attempt_at = now(), finished_at = null
      where id = ${typed(id, 'bigint')} and (state in ('failed', 'waiting') or state = 'delivered' and method = 'GET')
      returning id
    )
    select id::text as id, pg_notify('clew_net', '') from due`)

/** Makes failed deliveries due now, of one hook or of all, oldest first, a thousand at most, and wakes the sender. */
export const sendFailedAgainStatement = (hook: DeliveriesFilter['hook']): Statement =>
  compile(sql`
    with due as (
      update clew_net.deliveries
      set state = 'waiting', next_attempt_at = now(), finished_at = null
      where id in (
        select d.id
        from clew_net.deliveries d
        where d.state = 'failed'
          ${hook === null ? empty : sql`and d.table_schema = ${hook.schema} and d.table_name = ${hook.table} and d.hook_name = ${hook.name}`}
        order by d.id
        limit 1000
      )
      returning id
    )
    select id::text as id, pg_notify('clew_net', '') from due`)

/** Requests that wait, the next one first. */
export const selectWaitingStatement = (limit: number): Statement =>
  compile(sql`
    select null as id, id::text as "requestId", cause_id as "causeId", method, url, queued_at as "queuedAt",
      claimed_at as "sentAt", null::timestamptz as "finishedAt", null::int as status, null as error
    from net.http_request_queue
    order by id
    limit ${limit}`)

const sentColumns = constant(`
  id::text as id, request_id::text as "requestId", cause_id as "causeId", method, url, queued_at as "queuedAt",
  sent_at as "sentAt", finished_at as "finishedAt", status_code as status, error`)

/** Requests that were sent, newest first. */
export const selectSentStatement = (before: string | null, limit: number): Statement =>
  compile(sql`
    select ${sentColumns}
    from clew_net.sent_requests
    where ${typed(before, 'bigint')} is null or id < ${typed(before, 'bigint')}
    order by id desc
    limit ${limit}`)

export const selectSentRequestStatement = (id: string): Statement =>
  compile(sql`select ${sentColumns} from clew_net.sent_requests where id = ${typed(id, 'bigint')}`)

export const selectDeliveriesOfStatement = (causeIds: readonly string[], limit: number): Statement =>
  compile(sql`
    select ${deliveryColumns}
    from clew_net.deliveries d
    ${withLastAttempt}
    where d.cause_id = any (${typed(causeIds, 'text[]')})
    order by d.id
    limit ${limit}`)

/** Requests of these causes, sent or waiting. */
export const selectRequestsOfStatement = (causeIds: readonly string[], limit: number): Statement =>
  compile(sql`
    select ${sentColumns}
    from clew_net.sent_requests
    where cause_id = any (${typed(causeIds, 'text[]')})
    order by id
    limit ${limit}`)
