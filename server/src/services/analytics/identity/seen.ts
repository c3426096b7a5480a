import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** Persons merged into others were seen as these: to be noted before they are removed. */
export const mergeSeenStatement = (losers: readonly string[], winners: readonly string[]): Statement =>
  compile(sql`
    with pairs as (
      select loser, winner
      from unnest(${typed(losers, 'uuid[]')}, ${typed(winners, 'uuid[]')}) as pair (loser, winner)
    ), locked as (
      select s.person_id, s.last_seen_at
      from clew_analytics.persons_seen s
      where s.person_id in (select loser from pairs union all select winner from pairs)
      order by s.person_id
      for update
    ), latest as (
      select pairs.winner, max(locked.last_seen_at) as at
      from pairs
      join locked on locked.person_id = pairs.loser
      group by pairs.winner
    )
    update clew_analytics.persons_seen s
    set last_seen_at = latest.at
    from latest
    where s.person_id = latest.winner and s.last_seen_at < latest.at`)

/** Persons who have consented again were seen before as little as they had appeared. */
export const forgetSeenStatement = (distinctIds: readonly string[], beforeMs: number): Statement =>
  compile(sql`
    update clew_analytics.persons_seen s
    set last_seen_at = ${typed(new Date(beforeMs), 'timestamptz')}
    where s.last_seen_at < ${typed(new Date(beforeMs), 'timestamptz')} and s.person_id in (
      select p.id
      from clew_analytics.persons p
      left join clew_analytics.distinct_ids d on d.person_id = p.id
      join clew_analytics.consents c on c.distinct_id in (d.distinct_id, p.auth_user_id::text) and c.granted
      where d.distinct_id = any(${typed(distinctIds, 'text[]')}) or p.auth_user_id::text = any(${typed(distinctIds, 'text[]')})
    )`)
