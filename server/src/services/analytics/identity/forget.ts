import type { Sql } from '../../../engines/postgres/index.ts'
import type { RowTimes } from '../../../ground/privacy/consent.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { forgetSeenStatement } from './seen.ts'
import { lockIdentities } from './store.ts'

/**
 * Removes what is known of the persons of ids from before, in a transaction: all of those who refuse, and of those who have
 * consented again what was known by then. A consent is the person's, so their ids stay theirs.
 */
export async function forgetPersons(tx: Sql, distinctIds: readonly string[], before: RowTimes): Promise<void> {
  await lockIdentities(tx)
  await tx.query(deletePersonsStatement(distinctIds))
  await tx.query(deleteFactsStatement(distinctIds, before.happenedMs))
  await tx.query(forgetSeenStatement(distinctIds, before.happenedMs))
}

/** Removes ids that refuse, and the persons that have none left. */
const deletePersonsStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`
    with asked as (
      select id
      from unnest(${typed(distinctIds, 'text[]')}) as given (id)
      left join clew_analytics.consents c on c.distinct_id = given.id
      where c.granted is not true
    ), removed as (
      delete from clew_analytics.distinct_ids
      where distinct_id in (select id from asked)
      returning distinct_id, person_id
    ), imported as (
      delete from clew_analytics.imported_persons
      where distinct_id = any(${typed(distinctIds, 'text[]')})
    )
    delete from clew_analytics.persons p
    where (p.id in (select person_id from removed) or p.auth_user_id::text in (select id from asked))
      and not exists (
        select
        from clew_analytics.distinct_ids d
        where d.person_id = p.id and d.distinct_id not in (select distinct_id from removed)
      )`)

/** Removes properties that were last changed before, of persons who have consented again. */
const deleteFactsStatement = (distinctIds: readonly string[], beforeMs: number): Statement =>
  compile(sql`
    with renewed as (
      select c.distinct_id as id
      from clew_analytics.consents c
      where c.distinct_id = any(${typed(distinctIds, 'text[]')}) and c.granted
    )
    update clew_analytics.persons p
    set created_at = greatest(p.created_at, ${typed(new Date(beforeMs), 'timestamptz')}),
      properties = coalesce((
        select jsonb_object_agg(name, value)
        from jsonb_each(p.properties) as each (name, value)
        where (p.property_times ->> name)::numeric >= ${typed(beforeMs, 'bigint')}
      ), '{}'),
      property_times = coalesce((
        select jsonb_object_agg(name, value)
        from jsonb_each(p.property_times) as each (name, value)
        where value::numeric >= ${typed(beforeMs, 'bigint')}
      ), '{}')
    where p.auth_user_id::text in (select id from renewed)
      or p.id in (
        select d.person_id
        from clew_analytics.distinct_ids d
        join renewed on renewed.id = d.distinct_id
      )`)
