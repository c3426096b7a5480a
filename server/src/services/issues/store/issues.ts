import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, empty, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

export const issueStates = ['open', 'resolved', 'ignored'] as const
export type IssueState = (typeof issueStates)[number]

/** A row of `issues`. */
export interface IssueRow {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly message: string
  readonly culprit: string
  readonly level: string
  readonly source: string
  readonly state: IssueState
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
  readonly firstRelease: string | null
  readonly lastRelease: string | null
  readonly assignedTo: string | null
  readonly resolvedAt: Date | null
  readonly resolvedInNextRelease: boolean
  /** When an exception opened it again after it was resolved; null once an operator has decided since. */
  readonly cameBackAt: Date | null
  /** All that lead to it. */
  readonly fingerprints: readonly string[]
}

const issueColumns: SqlFragment = constant(`
  i.id, i.title, i.type, i.message, i.culprit, i.level, i.source, i.state, i.first_seen_at as "firstSeenAt",
  i.last_seen_at as "lastSeenAt", i.first_release as "firstRelease", i.last_release as "lastRelease",
  i.assigned_to as "assignedTo", i.resolved_at as "resolvedAt", i.resolved_in_next_release as "resolvedInNextRelease",
  (
    select case when h.kind = 'reopened' then h.at end
    from clew_issues.history h
    where h.issue_id = i.id and h.kind in ('reopened', 'resolved', 'ignored', 'opened')
    order by h.id desc
    limit 1
  ) as "cameBackAt",
  array(select f.fingerprint from clew_issues.fingerprints f where f.issue_id = i.id order by f.fingerprint) as fingerprints`)

export const issueSorts = ['last seen', 'first seen', 'events', 'people'] as const
export type IssueSort = (typeof issueSorts)[number]

/** Counts of a time by fingerprint. */
export interface FingerprintCount {
  readonly fingerprint: string
  readonly count: number
}

export interface IssuesFilter {
  readonly state: IssueState | null
  /** In title or culprit, in any case. */
  readonly text: string | null
  readonly source: string | null
  readonly release: string | null
  /** The operator's e-mail address. */
  readonly assignedTo: string | null
}

export interface IssuesQuery extends IssuesFilter {
  readonly sort: IssueSort
  /** Only issues of these, which the sorts by a count go by; null for all issues. */
  readonly counts: readonly FingerprintCount[] | null
  /** The issues after this one. */
  readonly after: IssuesPlace | null
  readonly limit: number
}

/** An issue's place in a sorted list: milliseconds since 1970, or a count, and its id. */
export interface IssuesPlace {
  readonly value: number
  readonly id: string
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, (special) => `\\${special}`)

/** A page of issues, the latest or most first, each with its place. */
export function selectIssuesStatement(query: IssuesQuery): Statement {
  const { state, text, source, release, assignedTo, sort, counts, after, limit } = query
  const ms = (column: string): SqlFragment => sql`floor(extract(epoch from ${constant(column)}) * 1000)::bigint`
  const isCounted = counts !== null && (sort === 'events' || sort === 'people')
  const value = isCounted ? sql`coalesce(c.count, 0)` : ms(sort === 'first seen' ? 'i.first_seen_at' : 'i.last_seen_at')
  const counted =
    counts === null
      ? empty
      : sql`join (
          select f.issue_id, sum(n.count)::bigint as count
          from unnest(
            ${typed(
              counts.map(({ fingerprint }) => fingerprint),
              'text[]',
            )},
            ${typed(
              counts.map(({ count }) => count),
              'bigint[]',
            )}
          ) as n (fingerprint, count)
          join clew_issues.fingerprints f using (fingerprint)
          group by f.issue_id
        ) c on c.issue_id = i.id`
  const like = text === null ? null : `%${escapeLike(text)}%`
  const conditions = [
    ...(state === null ? [] : [sql`i.state = ${state}`]),
    ...(like === null ? [] : [sql`(i.title ilike ${like} or i.culprit ilike ${like})`]),
    ...(source === null ? [] : [sql`i.source = ${source}`]),
    ...(release === null ? [] : [sql`${typed(release, 'text')} in (i.first_release, i.last_release)`]),
    ...(assignedTo === null ? [] : [sql`i.assigned_to = ${assignedTo}`]),
    ...(after === null ? [] : [sql`(${value}, i.id) < (${typed(after.value, 'bigint')}, ${typed(after.id, 'uuid')})`]),
  ]
  const where = conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`
  return compile(sql`
    select ${issueColumns}, ${value}::float8 as place
    from clew_issues.issues i
    ${counted}
    ${where}
    order by ${value} desc, i.id desc
    limit ${limit}`)
}

export const selectIssueStatement = (id: string): Statement =>
  compile(sql`select ${issueColumns} from clew_issues.issues i where i.id = ${typed(id, 'uuid')}`)

/** How many issues of each state there are. */
export const countIssuesStatement = (): Statement =>
  compile(sql`select state, count(*)::int as count from clew_issues.issues group by state`)

/** Releases, the newest first. */
export const selectReleasesStatement = (limit: number): Statement =>
  compile(sql`
    select name, first_seen_at as "firstSeenAt"
    from clew_issues.releases
    order by first_seen_at desc, name
    limit ${limit}`)

export interface IssueChange {
  readonly state?: IssueState
  readonly resolvedInNextRelease?: boolean
  readonly assignedTo?: string | null
}

/** Changes what is given. */
export const updateIssueStatement = (id: string, change: IssueChange, at: Date): Statement => {
  const { state, resolvedInNextRelease = false, assignedTo } = change
  const parts = [
    ...(state === undefined
      ? []
      : [
          sql`state = ${state}`,
          sql`resolved_at = ${typed(state === 'resolved' ? at : null, 'timestamptz')}`,
          sql`resolved_in_next_release = ${typed(state === 'resolved' && resolvedInNextRelease, 'boolean')}`,
        ]),
    ...(assignedTo === undefined ? [] : [sql`assigned_to = ${typed(assignedTo, 'text')}`]),
  ]
  return compile(sql`update clew_issues.issues set ${join(parts)} where id = ${typed(id, 'uuid')}`)
}

/** Gives an issue all that others have, and deletes those. To be run in one transaction, in this order. */
export const mergeStatements = (id: string, others: readonly string[]): readonly Statement[] => {
  const ids = typed(others, 'uuid[]')
  const one = typed(id, 'uuid')
  return [
    // In the order of their ids, as storing does: two that lock each other's rows would wait for ever.
    compile(sql`
      select i.id from clew_issues.issues i where i.id = any (${ids}) or i.id = ${one} order by i.id for update`),
    compile(sql`update clew_issues.fingerprints set issue_id = ${one} where issue_id = any (${ids})`),
    compile(sql`
      update clew_issues.issues i
      set first_seen_at = least(i.first_seen_at, o.first_seen_at),
        last_seen_at = greatest(i.last_seen_at, o.last_seen_at),
        first_release = case when o.first_seen_at < i.first_seen_at then o.first_release else i.first_release end,
        last_release = case when o.last_seen_at > i.last_seen_at then o.last_release else i.last_release end
      from (
        select min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at,
          (array_agg(first_release order by first_seen_at))[1] as first_release,
          (array_agg(last_release order by last_seen_at desc))[1] as last_release
        from clew_issues.issues
        where id = any (${ids})
      ) o
      where i.id = ${one} and o.first_seen_at is not null`),
    compile(sql`delete from clew_issues.issues where id = any (${ids})`),
  ]
}

/** Deletes issues that were last seen before a moment, and those beyond `most`, the least lately seen first. */
export const deleteOldIssuesStatement = (before: Date, most: number, keptFingerprints: readonly string[]): Statement =>
  compile(sql`
    delete from clew_issues.issues i
    where (
        i.last_seen_at < ${before}
        or i.id in (select k.id from clew_issues.issues k order by k.last_seen_at desc, k.id offset ${typed(most, 'bigint')})
      )
      and i.id not in (
        select f.issue_id
        from clew_issues.fingerprints f
        where f.fingerprint = any(${typed(keptFingerprints, 'text[]')})
      )`)

/** Deletes releases beyond `most`, the oldest first. */
export const deleteOldReleasesStatement = (most: number): Statement =>
  compile(sql`
    delete from clew_issues.releases r
    where r.name in (
      select k.name from clew_issues.releases k order by k.first_seen_at desc, k.name offset ${typed(most, 'bigint')}
    )`)

/** The issues that these fingerprints lead to. */
export const selectIssuesOfFingerprintsStatement = (fingerprints: readonly string[]): Statement =>
  compile(sql`
    select f.fingerprint, i.id, i.title
    from clew_issues.fingerprints f
    join clew_issues.issues i on i.id = f.issue_id
    where f.fingerprint = any(${typed(fingerprints, 'text[]')})`)
