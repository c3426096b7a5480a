import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'
import type { Sighting } from './learnt.ts'

/** A tagged call that carried a user's token. */
export interface UserSighting extends Sighting {
  readonly userId: string
}

/** Table `clew_thread.session_users`: which users were signed in in which recorded sessions. */
export interface Links {
  save(sightings: readonly UserSighting[]): Promise<void>
  /** The newest sightings since `since`, for the memory to begin with. */
  since(since: Date, limit: number): Promise<readonly Sighting[]>
  /** Forgets what was last seen before `before`. */
  forget(before: Date): Promise<void>
  /** The user last seen in each of these sessions. */
  usersOf(sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Sessions of these users, newest first. */
  sessionsOf(userIds: readonly string[], limit: number): Promise<readonly string[]>
}

/** Makes the store of links on PostgreSQL. */
export function createLinks(database: Sql): Links {
  return {
    async save(sightings) {
      const latest = new Map(
        sightings.map((seen) => [`${seen.sessionId} ${seen.authSessionId} ${seen.userId}`, seen] as const),
      )
      const rows = JSON.stringify([...latest.values()].map((seen) => ({ ...seen, at: seen.at.toISOString() })))
      await database.query(
        compile(sql`
          insert into clew_thread.session_users
            (session_id, auth_session_id, user_id, distinct_id, window_id, first_at, last_at)
          select "sessionId", "authSessionId", "userId", "distinctId", "windowId", at, at
          from jsonb_to_recordset(${typed(rows, 'jsonb')}) as seen (
            "sessionId" text, "authSessionId" text, "userId" uuid, "distinctId" text, "windowId" text, at timestamptz)
          on conflict (session_id, auth_session_id, user_id) do update
          set distinct_id = coalesce(excluded.distinct_id, session_users.distinct_id),
              window_id = coalesce(excluded.window_id, session_users.window_id),
              first_at = least(session_users.first_at, excluded.first_at),
              last_at = greatest(session_users.last_at, excluded.last_at)`),
      )
    },

    async since(since, limit) {
      const { rows } = await database.query<{
        session_id: string
        auth_session_id: string
        distinct_id: string | null
        window_id: string | null
        last_at: Date
      }>(
        compile(sql`
          select session_id, auth_session_id, distinct_id, window_id, last_at
          from clew_thread.session_users
          where last_at > ${since}
          order by last_at desc
          limit ${limit}`),
      )
      return rows
        .map((row) => ({
          sessionId: row.session_id,
          authSessionId: row.auth_session_id,
          distinctId: row.distinct_id,
          windowId: row.window_id,
          at: new Date(row.last_at),
        }))
        .reverse()
    },

    async forget(before) {
      await database.query(compile(sql`delete from clew_thread.session_users where last_at < ${before}`))
    },

    async usersOf(sessionIds) {
      if (sessionIds.length === 0) return new Map()
      const { rows } = await database.query<{ session_id: string; user_id: string }>(
        compile(sql`
          select distinct on (session_id) session_id, user_id
          from clew_thread.session_users
          where session_id = any (${typed(sessionIds, 'text[]')})
          order by session_id, last_at desc`),
      )
      return new Map(rows.map((row) => [row.session_id, row.user_id]))
    },

    async sessionsOf(userIds, limit) {
      if (userIds.length === 0) return []
      const { rows } = await database.query<{ session_id: string }>(
        compile(sql`
          select session_id
          from clew_thread.session_users
          where user_id = any (${typed(userIds, 'uuid[]')})
          group by session_id
          order by max(last_at) desc
          limit ${limit}`),
      )
      return rows.map((row) => row.session_id)
    },
  }
}
