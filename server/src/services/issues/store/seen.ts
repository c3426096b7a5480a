import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { Heading } from '../exception/title.ts'

/** What a batch says of one fingerprint. */
export interface SeenFingerprint extends Heading {
  readonly fingerprint: string
  /** Of the issue that is made where the fingerprint is new. */
  readonly issueId: string
  readonly type: string
  readonly message: string
  readonly level: string
  readonly source: string
  /** ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  /** Of the first and the last exception that name one. */
  readonly firstRelease: string | null
  readonly lastRelease: string | null
}

const recordset = (seen: readonly SeenFingerprint[]): SqlFragment => sql`
  jsonb_to_recordset(${typed(JSON.stringify(seen), 'jsonb')}) as s (
    fingerprint text, "issueId" uuid, title text, type text, message text, culprit text, level text, source text,
    "firstAt" timestamptz, "lastAt" timestamptz, "firstRelease" text, "lastRelease" text
  )`

/**
 * Keeps what a batch says, so that issues are as after one time however often the batch comes: to be run in one
 * transaction, in this order. An issue's id follows from its first fingerprint, so that two processes that see it at once
 * make one.
 */
export const seenStatements = (seen: readonly SeenFingerprint[], at: Date): readonly Statement[] => [
  compile(sql`
    insert into clew_issues.releases (name, first_seen_at)
    select r.name, min(r.at)
    from (
      select s."firstRelease" as name, s."firstAt" as at from ${recordset(seen)}
      union all
      select s."lastRelease", s."lastAt" from ${recordset(seen)}
    ) r
    where r.name is not null
    group by r.name
    order by r.name
    on conflict (name) do update set first_seen_at = excluded.first_seen_at
      where excluded.first_seen_at < clew_issues.releases.first_seen_at`),
  compile(sql`
    with made as (
      insert into clew_issues.issues (
        id, title, type, message, culprit, level, source, first_seen_at, last_seen_at, first_release, last_release
      )
      select s."issueId", s.title, s.type, s.message, s.culprit, s.level, s.source, s."firstAt", s."lastAt",
        s."firstRelease", s."lastRelease"
      from ${recordset(seen)}
      where not exists (select from clew_issues.fingerprints f where f.fingerprint = s.fingerprint)
      order by s."issueId"
      on conflict (id) do nothing
      returning id
    )
    insert into clew_issues.history (issue_id, at, kind)
    select m.id, ${at}, 'created' from made m`),
  compile(sql`
    insert into clew_issues.fingerprints (fingerprint, issue_id)
    select s.fingerprint, s."issueId"
    from ${recordset(seen)}
    where exists (select from clew_issues.issues i where i.id = s."issueId")
    order by s.fingerprint
    on conflict (fingerprint) do nothing`),
  keepSeenStatement(seen, at),
]

/** Moves the first and last times of issues, and opens those that were resolved before their last exception. */
const keepSeenStatement = (seen: readonly SeenFingerprint[], at: Date): Statement =>
  compile(sql`
    with told as (
      select f.issue_id, min(s."firstAt") as first_at, max(s."lastAt") as last_at,
        (array_agg(s."firstRelease" order by s."firstAt"))[1] as first_release,
        (array_agg(s."lastRelease" order by s."lastAt" desc) filter (where s."lastRelease" is not null))[1] as last_release
      from ${recordset(seen)}
      join clew_issues.fingerprints f on f.fingerprint = s.fingerprint
      group by f.issue_id
    ),
    before as (
      select i.id, i.state, i.resolved_at, i.resolved_in_next_release
      from clew_issues.issues i
      where i.id in (select t.issue_id from told t)
      order by i.id
      for update
    ),
    back as (
      select b.id
      from before b
      join told t on t.issue_id = b.id
      where b.state = 'resolved' and t.last_at > b.resolved_at
        and (
          not b.resolved_in_next_release
          or exists (
            select from clew_issues.releases r where r.name = t.last_release and r.first_seen_at > b.resolved_at
          )
        )
    ),
    kept as (
      update clew_issues.issues i
      set first_release = case when t.first_at < i.first_seen_at then t.first_release else i.first_release end,
        first_seen_at = least(i.first_seen_at, t.first_at),
        last_release = case
          when t.last_at >= i.last_seen_at then coalesce(t.last_release, i.last_release) else i.last_release end,
        last_seen_at = greatest(i.last_seen_at, t.last_at),
        state = case when i.id in (select id from back) then 'open' else i.state end,
        resolved_at = case when i.id in (select id from back) then null else i.resolved_at end
      from told t, before b
      where i.id = t.issue_id and b.id = i.id
    )
    insert into clew_issues.history (issue_id, at, kind, details)
    select b.id, ${at}, 'reopened', t.last_release
    from back b
    join told t on t.issue_id = b.id`)
