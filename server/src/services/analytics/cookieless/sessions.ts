import type { Sql } from '../../../engines/postgres/index.ts'
import { rowsOf } from '../../../engines/spool/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** The sessions of visitors without cookies, whose browsers keep no id of one (analytics §10). */
export interface CookielessSessions {
  /**
   * Gives lines of `events` of such visitors the session that they belong to: another one after thirty minutes without
   * an event. Blocks without such a line come back as they are.
   */
  assign(blocks: readonly Buffer[]): Promise<readonly Buffer[]>
}

const idleMs = 30 * 60_000
const keptMs = 24 * 3_600_000
/** Ids of such visitors begin so (`capture/cookieless.ts`). */
const mark = Buffer.from('"cookieless_')
/** The texts before an empty session, whose visitor has no cookies; behind it the window and the instant. */
const head = /^(\["[^"]*","(?:[^"\\]|\\.)*","(cookieless_[\w-]+)",")(","(?:[^"\\]|\\.)*",(\d+))/
const longestHead = 8192

interface Visit {
  readonly id: string
  readonly atMs: number
  readonly line: Buffer
  /** Bytes before the session. */
  readonly at: number
}

interface SessionRow {
  readonly distinctId: string
  readonly sessionId: string
  readonly lastAt: Date
}

/** Sessions in PostgreSQL, so that all processes give the same one; a row of each visitor of the last day. */
export function createCookielessSessions({
  sql: database,
  newId,
}: {
  readonly sql: Sql
  readonly newId: () => string
}): CookielessSessions {
  async function sessionsOf(visits: readonly Visit[]): Promise<ReadonlyMap<Visit, string>> {
    const ids = [...new Set(visits.map(({ id }) => id))]
    return database.transaction(async (tx) => {
      await tx.query(lockStatement())
      const { rows } = await tx.query<SessionRow>(selectSessionsStatement(ids))
      const known = new Map(rows.map((row) => [row.distinctId, { id: row.sessionId, lastMs: row.lastAt.getTime() }]))
      const sessions = new Map<Visit, string>()
      for (const visit of visits.toSorted((left, right) => left.atMs - right.atMs)) {
        const before = known.get(visit.id)
        const goesOn = before !== undefined && visit.atMs - before.lastMs < idleMs
        const id = goesOn ? before.id : newId()
        // An event that comes late moves nothing back.
        known.set(visit.id, { id, lastMs: Math.max(visit.atMs, before?.lastMs ?? 0) })
        sessions.set(visit, id)
      }
      await tx.query(upsertSessionsStatement(known))
      const latestMs = Math.max(...visits.map(({ atMs }) => atMs))
      await tx.query(deleteSessionsStatement(new Date(latestMs - keptMs)))
      return sessions
    })
  }

  return {
    async assign(blocks) {
      if (!blocks.some((block) => block.includes(mark))) return blocks
      const lines = blocks.map((block) => rowsOf(block).map((line) => visitOf(line) ?? line))
      const visits = lines.flat().filter((line): line is Visit => !Buffer.isBuffer(line))
      if (visits.length === 0) return blocks
      const sessions = await sessionsOf(visits)
      return lines.map((block) =>
        Buffer.concat(
          block.flatMap((line, index) => [
            ...(index === 0 ? [] : [newline]),
            ...(Buffer.isBuffer(line) ? [line] : withSession(line, sessions.get(line) ?? '')),
          ]),
        ),
      )
    },
  }
}

const newline = Buffer.from('\n')

function visitOf(line: Buffer): Visit | null {
  const [, before, id, , at] = head.exec(line.toString('utf8', 0, longestHead)) ?? []
  if (before === undefined || id === undefined) return null
  return { id, atMs: Number(at), line, at: Buffer.byteLength(before) }
}

const withSession = ({ line, at }: Visit, session: string): readonly Buffer[] => [
  line.subarray(0, at),
  Buffer.from(session),
  line.subarray(at),
]

/** Two processes that store events of one visitor at once would begin two sessions. */
const lockStatement = (): Statement =>
  compile(sql`select pg_advisory_xact_lock(hashtext('clew_analytics.cookieless_sessions'))`)

const selectSessionsStatement = (ids: readonly string[]): Statement =>
  compile(sql`
    select distinct_id as "distinctId", session_id as "sessionId", last_at as "lastAt"
    from clew_analytics.cookieless_sessions
    where distinct_id = any(${typed(ids, 'text[]')})`)

const upsertSessionsStatement = (
  sessions: ReadonlyMap<string, { readonly id: string; readonly lastMs: number }>,
): Statement =>
  compile(sql`
    insert into clew_analytics.cookieless_sessions (distinct_id, session_id, last_at)
    select distinct_id, session_id, to_timestamp(last_ms / 1000.0)
    from unnest(
      ${typed([...sessions.keys()], 'text[]')},
      ${typed(
        [...sessions.values()].map(({ id }) => id),
        'text[]',
      )},
      ${typed(
        [...sessions.values()].map(({ lastMs }) => lastMs),
        'bigint[]',
      )}
    ) as seen (distinct_id, session_id, last_ms)
    on conflict (distinct_id) do update set session_id = excluded.session_id, last_at = excluded.last_at`)

const deleteSessionsStatement = (before: Date): Statement =>
  compile(sql`delete from clew_analytics.cookieless_sessions where last_at < ${typed(before, 'timestamptz')}`)
