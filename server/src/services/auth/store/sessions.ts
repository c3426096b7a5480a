import type { Sql } from '../../../engines/postgres/index.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'

/** One sign-in of a user. */
export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly aal: string
  readonly createdAt: Date
  readonly refreshedAt: Date | null
  readonly notAfter: Date | null
}

/** A refresh token as it is kept. */
export interface RefreshTokenRow {
  readonly token: string
  readonly revoked: boolean
  readonly updatedAt: Date
  readonly parent: string | null
}

const sessionColumns = constant(`
  s.id, s.user_id as "userId",
  coalesce(s.aal, 'aal1')::text as aal,
  coalesce(s.created_at, now()) as "createdAt",
  s.refreshed_at at time zone 'utc' as "refreshedAt",
  s.not_after as "notAfter"`)

export interface NewSession {
  readonly id: string
  readonly userId: string
  readonly method: string
  readonly methodId: string
  readonly refreshToken: string
  readonly userAgent: string | null
  readonly ip: string
}

/** Begins a session: its row, how it was begun, its first refresh token, and the user's last sign-in. */
export async function insertSession(on: Sql, session: NewSession, now: Date, work: RequestWork): Promise<SessionRow> {
  await on.query(
    compile(sql`
      with session as (
        insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
        values (
          ${session.id}, ${session.userId}, ${now}, ${now}, 'aal1', ${session.userAgent}, ${typed(session.ip, 'inet')}
        )
      ), method as (
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values (${session.methodId}, ${session.id}, ${now}, ${now}, ${session.method})
      ), token as (
        insert into auth.refresh_tokens (
          instance_id, token, user_id, revoked, created_at, updated_at, session_id
        )
        values (
          '00000000-0000-0000-0000-000000000000', ${session.refreshToken}, ${session.userId}, false, ${now}, ${now},
          ${session.id}
        )
      )
      update auth.users set last_sign_in_at = ${now}, updated_at = ${now} where id = ${typed(session.userId, 'uuid')}`),
    work,
  )
  return { id: session.id, userId: session.userId, aal: 'aal1', createdAt: now, refreshedAt: null, notAfter: null }
}

/** A session by its id. */
export async function findSession(on: Sql, id: string, work: RequestWork): Promise<SessionRow | undefined> {
  const statement = sql`select ${sessionColumns} from auth.sessions s where s.id = ${id}`
  return (await on.query<SessionRow>(compile(statement), work)).rows[0]
}

/**
 * The session of a refresh token, locked until the transaction ends, so that of several refreshes one acts at a time.
 * The wait is bounded (55P03 beyond it).
 */
export async function lockSessionOfToken(on: Sql, token: string, work: RequestWork): Promise<SessionRow | undefined> {
  await on.query(compile(sql`set local lock_timeout = '5s'`), null)
  const statement = sql`
    select ${sessionColumns}
    from auth.sessions s
    where s.id = (select session_id from auth.refresh_tokens where token = ${token})
    for update`
  return (await on.query<SessionRow>(compile(statement), work)).rows[0]
}

/** The token that was used, and the newest one of its session that still lives. */
export async function findRefreshTokens(
  on: Sql,
  token: string,
  sessionId: string,
  work: RequestWork,
): Promise<{ readonly used: RefreshTokenRow | undefined; readonly active: RefreshTokenRow | null }> {
  const { rows } = await on.query<RefreshTokenRow>(
    compile(sql`
      select token, coalesce(revoked, false) as revoked, coalesce(updated_at, created_at) as "updatedAt", parent
      from auth.refresh_tokens
      where token = ${token} and session_id = ${sessionId}
        or id = (
          select max(id) from auth.refresh_tokens where session_id = ${sessionId} and not coalesce(revoked, false)
        )`),
    work,
  )
  return {
    used: rows.find((row) => row.token === token),
    active: rows.find((row) => !row.revoked) ?? null,
  }
}

/** Replaces a refresh token by its child. */
export async function swapRefreshToken(
  on: Sql,
  swap: { readonly used: string; readonly child: string; readonly session: SessionRow },
  now: Date,
  work: RequestWork,
): Promise<void> {
  await on.query(
    compile(sql`
      with used as (
        update auth.refresh_tokens set revoked = true, updated_at = ${now}
        where token = ${swap.used} and not coalesce(revoked, false)
      )
      insert into auth.refresh_tokens (
        instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id
      )
      values (
        '00000000-0000-0000-0000-000000000000', ${swap.child}, ${swap.session.userId}, false, ${now}, ${now},
        ${swap.used}, ${swap.session.id}
      )`),
    work,
  )
}

/** Ends every refresh token of a session; the session's row stays. */
export async function revokeRefreshTokens(on: Sql, sessionId: string, now: Date, work: RequestWork): Promise<void> {
  await on.query(
    compile(sql`
      update auth.refresh_tokens set revoked = true, updated_at = ${now}
      where session_id = ${sessionId} and not coalesce(revoked, false)`),
    work,
  )
}

/** Notes a refresh, and answers how the session was begun. */
export async function touchSession(
  on: Sql,
  session: { readonly id: string; readonly userAgent: string | null; readonly ip: string },
  now: Date,
  work: RequestWork,
): Promise<readonly { readonly method: string; readonly at: Date }[]> {
  const { rows } = await on.query<{ method: string; at: Date }>(
    compile(sql`
      with touched as (
        update auth.sessions
        set refreshed_at = ${typed(now, 'timestamptz')} at time zone 'utc', updated_at = ${now},
          user_agent = ${session.userAgent}, ip = ${typed(session.ip, 'inet')}
        where id = ${session.id}
      )
      select authentication_method as method, updated_at as at
      from auth.mfa_amr_claims
      where session_id = ${session.id}`),
    work,
  )
  return rows
}

/** Ends sessions of a user: all, one, or all but one. Their tokens go with them. */
export async function deleteSessions(
  on: Sql,
  userId: string,
  which: { readonly only: string } | { readonly except: string } | 'all',
  work: RequestWork,
): Promise<void> {
  const condition =
    which === 'all' ? sql`` : 'only' in which ? sql`and id = ${which.only}` : sql`and id <> ${which.except}`
  await on.query(compile(sql`delete from auth.sessions where user_id = ${userId} ${condition}`), work)
}
