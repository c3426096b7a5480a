import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What is to be removed of which ids. */
export interface ErasureRow {
  /** A bigint as a text. */
  readonly id: string
  /** None once it is done. */
  readonly distinct_ids: readonly string[]
  readonly id_count: number
  readonly state: 'waiting' | 'running' | 'done'
  readonly steps_done: number
  readonly steps: number
  readonly created_at: Date
  readonly ended_at: Date | null
  readonly error: string | null
}

/** The columns of an `ErasureRow`. */
const erasureColumns = sql`
  id::text, distinct_ids, coalesce(id_count, cardinality(distinct_ids)) as id_count, state, steps_done,
  steps, created_at, ended_at, error`

/** Takes what waits, the oldest first, for as long as the lease; another process passes it over. */
export const leaseStatement = (limit: number, steps: number, leaseMs: number): Statement =>
  compile(sql`
    update clew_analytics.erasures
    set state = 'running', steps = ${typed(steps, 'int')}, steps_done = 0,
      leased_until = now() + ${typed(leaseMs, 'int')} * interval '1 ms'
    where id in (
      select id
      from clew_analytics.erasures
      where state <> 'done' and leased_until < now()
      order by id
      limit ${typed(limit, 'int')}
      for update skip locked
    )
    returning ${erasureColumns}`)

/** Keeps how far erasures are, and the lease with them. */
export const progressStatement = (ids: readonly string[], done: number, leaseMs: number): Statement =>
  compile(sql`
    update clew_analytics.erasures
    set steps_done = ${typed(done, 'int')}, error = null,
      leased_until = now() + ${typed(leaseMs, 'int')} * interval '1 ms'
    where id = any(${typed(ids, 'bigint[]')})`)

/** Gives up erasures until the lease ends, with the reason. */
export const failedStatement = (ids: readonly string[], error: string): Statement =>
  compile(sql`
    update clew_analytics.erasures
    set error = ${typed(error, 'text')}
    where id = any(${typed(ids, 'bigint[]')})`)

/** Ends erasures. The ids stay with the refusals alone. */
export const doneStatement = (ids: readonly string[]): Statement =>
  compile(sql`
    update clew_analytics.erasures
    set state = 'done', ended_at = now(), error = null, id_count = cardinality(distinct_ids), distinct_ids = '{}'
    where id = any(${typed(ids, 'bigint[]')})`)

/** The latest erasures. */
export const selectErasuresStatement = (limit: number): Statement =>
  compile(sql`
    select ${erasureColumns}
    from clew_analytics.erasures
    order by erasures.id desc
    limit ${typed(limit, 'int')}`)
