import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What visitors have decided; null: they did not answer. */
export interface DecisionRow {
  readonly distinct_id: string
  readonly granted: boolean | null
}

/** Whether any visitor has refused. */
export const anyRefusedStatement = (): Statement =>
  compile(sql`select exists (select from clew_analytics.consents where not granted) as refused`)

/** The decision of each id: its own, else the latest of its person's ids. */
export const selectDecisionsStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`
    select asked.id as distinct_id, coalesce(own.granted, theirs.granted) as granted
    from unnest(${typed(distinctIds, 'text[]')}) as asked (id)
    left join clew_analytics.consents own on own.distinct_id = asked.id
    left join lateral (
      select c.granted
      from clew_analytics.distinct_ids d
      join clew_analytics.distinct_ids other on other.person_id = d.person_id
      join clew_analytics.consents c on c.distinct_id = other.distinct_id
      where d.distinct_id = asked.id and own.distinct_id is null
      order by c.decided_at desc
      limit 1
    ) as theirs on true`)

/** Names the key of users' metadata that holds their answers; null: none does. */
export const useMetadataStatement = (key: string | null): Statement =>
  compile(sql`select clew_analytics.use_consent_metadata(${typed(key, 'text')})`)

/** Keeps a decision for all ids of the persons; a withdrawal asks for the removal of what was stored. */
export const decideStatement = (distinctIds: readonly string[], granted: boolean, at: Date): Statement =>
  compile(sql`
    select clew_analytics.decide(
      ${typed(distinctIds, 'text[]')}, ${typed(granted, 'boolean')}, ${typed(at, 'timestamptz')})`)
