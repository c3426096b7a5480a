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

/** Removes ids of persons, and the persons that have none left. */
export const deletePersonsStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`
    with removed as (
      delete from clew_analytics.distinct_ids
      where distinct_id = any(${typed(distinctIds, 'text[]')})
      returning distinct_id, person_id
    ), imported as (
      delete from clew_analytics.imported_persons
      where distinct_id = any(${typed(distinctIds, 'text[]')})
    )
    delete from clew_analytics.persons p
    where (p.id in (select person_id from removed) or p.auth_user_id::text = any(${typed(distinctIds, 'text[]')}))
      and not exists (
        select
        from clew_analytics.distinct_ids d
        where d.person_id = p.id and d.distinct_id not in (select distinct_id from removed)
      )`)
