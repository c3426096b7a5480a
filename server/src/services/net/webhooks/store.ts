import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { NextStep } from './retry.ts'

/** A delivery that is ours to attempt. */
export interface DeliveryRow {
  readonly id: string
  readonly requestId: string
  readonly messageId: string
  readonly method: string
  readonly url: string
  readonly headers: unknown
  /** Null where there is none, or one that is too large. */
  readonly body: Buffer | null
  readonly bodyTooLarge: boolean
  readonly timeoutMs: number
  readonly causeId: string | null
  /** The number of this attempt, from 1. */
  readonly attempts: number
}

/** One attempt to deliver. */
export interface Attempt {
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly error: string | null
}

/** Whether the tables of deliveries exist: only where webhooks are Clew's own. */
export const areDeliveriesKeptStatement = (): Statement =>
  compile(sql`select to_regclass('clew_net.deliveries') is not null as kept`)

/** Marks deliveries that are due as being sent, and returns them. */
export const claimDeliveriesStatement = (limit: number, maxBodyBytes: number, now: Date): Statement =>
  compile(sql`
    with next as materialized (
      select id
      from clew_net.deliveries
      where state = 'waiting' and next_attempt_at <= greatest(${now}, now())
      order by next_attempt_at, id
      limit ${limit}
      for update skip locked
    )
    update clew_net.deliveries as d
    set state = 'sending', attempts = d.attempts + 1, next_attempt_at = null
    from next
    where d.id = next.id
    returning d.id, d.request_id as "requestId", d.message_id as "messageId", d.method, d.url, d.headers, d.attempts,
      d.timeout_milliseconds as "timeoutMs", d.cause_id as "causeId",
      case when octet_length(d.body) <= ${typed(maxBodyBytes, 'int')} then d.body end as body,
      coalesce(octet_length(d.body) > ${typed(maxBodyBytes, 'int')}, false) as "bodyTooLarge"`)

/** Makes deliveries that an earlier process was sending wait again: their receivers know a repetition by its id. */
export const recoverDeliveriesStatement = (message: string, now: Date): Statement =>
  compile(sql`
    with lost as (
      update clew_net.deliveries
      set state = 'waiting', next_attempt_at = ${now}
      where state = 'sending'
      returning id, attempts
    )
    insert into clew_net.delivery_attempts (delivery_id, attempt, started_at, error)
    select id, attempts, ${now}, ${typed(message, 'text')}
    from lost
    on conflict do nothing`)

/** Logs an attempt. */
export const insertAttemptStatement = ({ id, attempts }: DeliveryRow, attempt: Attempt): Statement =>
  compile(sql`
    insert into clew_net.delivery_attempts (delivery_id, attempt, started_at, duration_ms, status_code, error)
    values (
      ${typed(id, 'bigint')}, ${attempts}, ${attempt.startedAt}, ${Math.round(attempt.durationMs)}, ${attempt.status},
      ${attempt.error}
    )
    on conflict do nothing`)

/** Moves a delivery on after an attempt. The body of a delivered one is not needed any more. */
export function moveDeliveryStatement({ id }: DeliveryRow, next: NextStep, now: Date): Statement {
  const delivery = typed(id, 'bigint')
  if (next.state === 'waiting')
    return compile(sql`
      update clew_net.deliveries
      set state = 'waiting', next_attempt_at = ${next.at}
      where id = ${delivery}`)
  return compile(sql`
    update clew_net.deliveries
    set state = ${next.state}, finished_at = ${now},
      body = case when ${typed(next.state, 'text')} = 'failed' then body end
    where id = ${delivery}`)
}

/** Deletes deliveries that finished before a moment, with their attempts. */
export const deleteDeliveriesStatement = (before: Date): Statement =>
  compile(sql`delete from clew_net.deliveries where finished_at < ${before}`)

/** Deletes the log of triggered webhooks before a moment. */
export const deleteHooksStatement = (before: Date): Statement =>
  compile(sql`delete from supabase_functions.hooks where created_at < ${before}`)

/** How long the delivery that is due longest has waited, in seconds; no row where none is due. */
export const deliveryLagStatement = (): Statement =>
  compile(sql`
    select extract(epoch from clock_timestamp() - next_attempt_at)::float8 as seconds
    from clew_net.deliveries
    where state = 'waiting' and next_attempt_at <= now()
    order by next_attempt_at
    limit 1`)
