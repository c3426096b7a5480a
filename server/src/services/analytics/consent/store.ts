import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What visitors have decided; null: they did not answer. */
export interface DecisionRow {
  readonly distinct_id: string
  readonly granted: boolean | null
  readonly decided_at: Date | null
  /** When they last refused; null where they never did. */
  readonly withdrawn_at: Date | null
}

/** Whether any visitor has ever refused. */
export const anyRefusedStatement = (): Statement =>
  compile(sql`select exists (select from clew_analytics.consents where withdrawn_at is not null) as refused`)

/** The decision of each id: its own, else the latest of its person's ids. */
export const selectDecisionsStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`
    select asked.id as distinct_id,
      coalesce(own.granted, theirs.granted) as granted,
      coalesce(own.decided_at, theirs.decided_at) as decided_at,
      case when own.distinct_id is null then theirs.withdrawn_at else own.withdrawn_at end as withdrawn_at
    from unnest(${typed(distinctIds, 'text[]')}) as asked (id)
    left join clew_analytics.consents own on own.distinct_id = asked.id
    left join lateral (
      select c.granted, c.decided_at, c.withdrawn_at
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
