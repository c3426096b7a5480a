import type { Sql } from '../../../engines/postgres/index.ts'
import type { FoundSession } from '../../../ground/model/session.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { ObservedLink } from './inferred-links.ts'
import { type Evidence, mergeObservations } from './observation.ts'

/** A sign-in that was seen in a session, in one tab and with one id of the browser. */
export interface SeenSignIn {
  readonly sessionId: string
  readonly authSessionId: string
  readonly userId: string
  readonly windowId: string | null
  readonly distinctId: string | null
  readonly firstAt: Date
  readonly lastAt: Date
  readonly endedAt: Date | null
  /** User agents of its calls; none where they were not kept. */
  readonly userAgents: readonly string[]
}

/** Table `clew_thread.session_users`: which users were signed in in which recorded sessions. */
export interface Links {
  save(evidence: readonly Evidence[]): Promise<void>
  /** The newest links since `since`, for the memory to begin with. */
  since(since: Date, limit: number): Promise<readonly ObservedLink[]>
  /** Forgets what was last seen before `before`, but for these sessions. */
  forget(before: Date, keptSessions: readonly string[]): Promise<void>
  /** Forgets what was seen of these browsers before an instant. */
  forgetBrowsers(distinctIds: readonly string[], before: Date): Promise<void>
  /** What was seen in these sessions. */
  ofSessions(sessionIds: readonly string[]): Promise<readonly SeenSignIn[]>
  /** What was seen with these ids of browsers, the latest of each. */
  ofBrowsers(distinctIds: readonly string[]): Promise<readonly SeenSignIn[]>
  /** Sessions of these users, newest first. */
  sessionsOf(userIds: readonly string[], limit: number): Promise<readonly FoundSession[]>
}

interface FoundRow {
  readonly session_id: string
  readonly last_at: Date
}

interface Row {
  readonly session_id: string
  readonly auth_session_id: string
  readonly user_id: string
  readonly distinct_id: string | null
  readonly window_id: string | null
  readonly first_at: Date
  readonly last_at: Date
  readonly ended_at: Date | null
  readonly programs: readonly string[]
}

const columns = sql`session_id, auth_session_id, user_id, distinct_id, window_id, first_at, last_at, ended_at, programs`
/** Of one sign-in; a client that changes its user agent with every call fills no table. */
const maxPrograms = 8
const seenPerBrowser = 50

/** The store of links on PostgreSQL. */
export function createLinks(database: Pick<Sql, 'query'>): Links {
  const signIns = async (statement: Statement): Promise<readonly SeenSignIn[]> =>
    (await database.query<Row>(statement)).rows.map(seenSignIn)

  return {
    async save(evidence) {
      const seen = mergeObservations(evidence.flatMap((one) => (one.kind === 'seen' ? [one] : [])))
      if (seen.length > 0) await database.query(upsertLinksStatement(seen))
      for (const end of evidence) if (end.kind !== 'seen') await database.query(endLinksStatement(end))
    },
    async since(since, limit) {
      return (await database.query<Row>(selectLinksSinceStatement(since, limit))).rows.map(observedLink).reverse()
    },
    async forget(before, keptSessions) {
      await database.query(deleteLinksStatement(before, keptSessions))
    },
    async forgetBrowsers(distinctIds, before) {
      await database.query(deleteBrowsersStatement(distinctIds, before))
      await database.query(beginLaterStatement(distinctIds, before))
    },
    ofSessions: async (ids) => (ids.length === 0 ? [] : signIns(selectLinksOfSessionsStatement(ids))),
    ofBrowsers: async (ids) => (ids.length === 0 ? [] : signIns(selectLinksOfBrowsersStatement(ids))),
    async sessionsOf(userIds, limit) {
      if (userIds.length === 0) return []
      const { rows } = await database.query<FoundRow>(selectSessionsOfUsersStatement(userIds, limit))
      return rows.map((row) => ({ sessionId: row.session_id, at: new Date(row.last_at) }))
    },
  }
}

const deleteBrowsersStatement = (distinctIds: readonly string[], before: Date): Statement =>
  compile(sql`
    delete from clew_thread.session_users
    where distinct_id = any(${typed(distinctIds, 'text[]')}) and last_at < ${before}`)

/** What was seen before and after is known from then on; its programs are those of the same session. */
const beginLaterStatement = (distinctIds: readonly string[], before: Date): Statement =>
  compile(sql`
    update clew_thread.session_users
    set first_at = ${before}
    where distinct_id = any(${typed(distinctIds, 'text[]')}) and first_at < ${before}`)

const upsertLinksStatement = (seen: ReturnType<typeof mergeObservations>): Statement =>
  compile(sql`
    insert into clew_thread.session_users
      (session_id, auth_session_id, user_id, distinct_id, window_id, first_at, last_at, programs)
    select "sessionId", "authSessionId", "userId", "distinctId", "windowId", "firstAt", "lastAt", programs
    from jsonb_to_recordset(${typed(JSON.stringify(seen), 'jsonb')}) as seen (
      "sessionId" text, "authSessionId" text, "userId" uuid, "distinctId" text, "windowId" text,
      "firstAt" timestamptz, "lastAt" timestamptz, programs text[])
    on conflict (session_id, auth_session_id, user_id, window_id, distinct_id) do update
    set first_at = least(session_users.first_at, excluded.first_at),
        last_at = greatest(session_users.last_at, excluded.last_at),
        -- Seen again after what looked like its end: it was none.
        ended_at = case when excluded.last_at > session_users.ended_at then null else session_users.ended_at end,
        programs = (
          select array_agg(program)
          from (
            select distinct unnest(session_users.programs || excluded.programs) as program
            limit ${typed(maxPrograms, 'int')}
          ) as kept
        )`)

/** Ends the sign-ins that a sign-out, or the beginning of another sign-in, ends. */
const endLinksStatement = (end: Exclude<Evidence, { kind: 'seen' }>): Statement =>
  compile(sql`
    update clew_thread.session_users
    set ended_at = ${end.at}
    where ${endedBy(end)} and ended_at is null and last_at <= ${end.at}`)

function endedBy(end: Exclude<Evidence, { kind: 'seen' }>): SqlFragment {
  if (end.kind === 'signing_in')
    return sql`session_id = ${end.sessionId} and window_id = ${end.windowId} and distinct_id = ${end.distinctId}`
  return end.everywhere ? sql`user_id = ${typed(end.userId, 'uuid')}` : sql`auth_session_id = ${end.authSessionId}`
}

const selectLinksSinceStatement = (since: Date, limit: number): Statement =>
  compile(sql`
    select ${columns}
    from clew_thread.session_users
    where last_at > ${since}
    order by last_at desc
    limit ${limit}`)

const deleteLinksStatement = (before: Date, keptSessions: readonly string[]): Statement =>
  compile(sql`
    delete from clew_thread.session_users
    where last_at < ${before} and session_id not in (select unnest(${typed(keptSessions, 'text[]')}))`)

const selectLinksOfSessionsStatement = (sessionIds: readonly string[]): Statement =>
  compile(sql`
    select ${columns}
    from clew_thread.session_users
    where session_id = any (${typed(sessionIds, 'text[]')})`)

const selectLinksOfBrowsersStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`
    select seen.*
    from unnest(${typed(distinctIds, 'text[]')}) as browser (id)
    cross join lateral (
      select ${columns}
      from clew_thread.session_users
      where distinct_id = browser.id
      order by first_at desc
      limit ${typed(seenPerBrowser, 'int')}
    ) as seen`)

const selectSessionsOfUsersStatement = (userIds: readonly string[], limit: number): Statement =>
  compile(sql`
    select session_id, max(last_at) as last_at
    from clew_thread.session_users
    where user_id = any (${typed(userIds, 'uuid[]')})
    group by session_id
    order by last_at desc
    limit ${limit}`)

const observedLink = (row: Row): ObservedLink => ({
  sessionId: row.session_id,
  authSessionId: row.auth_session_id,
  distinctId: row.distinct_id,
  programs: row.programs,
  at: new Date(row.last_at),
})

const seenSignIn = (row: Row): SeenSignIn => ({
  sessionId: row.session_id,
  authSessionId: row.auth_session_id,
  userId: row.user_id,
  windowId: row.window_id,
  distinctId: row.distinct_id,
  firstAt: new Date(row.first_at),
  lastAt: new Date(row.last_at),
  endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  userAgents: row.programs.map((program) => program.slice(program.indexOf(' ') + 1)),
})
