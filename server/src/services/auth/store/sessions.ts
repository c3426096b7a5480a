import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { SessionRow, SignedState } from '../model/session.ts'
import type { RequestSql } from './database.ts'

const sessionColumns = constant(`
  s.id, s.user_id as "userId",
  coalesce(s.aal, 'aal1')::text as aal,
  coalesce(s.created_at, now()) as "createdAt",
  s.refreshed_at at time zone 'utc' as "refreshedAt",
  s.not_after as "notAfter",
  s.oauth_client_id as "oauthClientId",
  s.scopes, s.tag,
  case when s.refresh_token_hmac_key is not null then
    jsonb_build_object('key', s.refresh_token_hmac_key, 'counter', coalesce(s.refresh_token_counter, 0))
  end as signed`)

export interface NewSession {
  readonly id: string
  readonly userId: string
  readonly method: string
  readonly methodId: string
  /** Opaque, or the key that its signed tokens are made with, counted from 0. */
  readonly refreshToken: { readonly opaque: string } | { readonly key: string }
  readonly userAgent: string | null
  readonly ip: string
  readonly notAfter: Date | null
  readonly oauthClientId: string | null
  readonly scopes: string | null
}

function insertSessionStatement(session: NewSession, now: Date): Statement {
  const { refreshToken } = session
  const key = 'key' in refreshToken ? refreshToken.key : null
  const token =
    'key' in refreshToken
      ? sql``
      : sql`, token as (
        insert into auth.refresh_tokens (
          instance_id, token, user_id, revoked, created_at, updated_at, session_id
        )
        values (
          '00000000-0000-0000-0000-000000000000', ${refreshToken.opaque}, ${session.userId}, false, ${now}, ${now},
          ${session.id}
        )
      )`
  return compile(sql`
    with session as (
      insert into auth.sessions (
        id, user_id, created_at, updated_at, aal, user_agent, ip, not_after, oauth_client_id, scopes,
        refresh_token_hmac_key, refresh_token_counter
      )
      values (
        ${session.id}, ${session.userId}, ${now}, ${now}, 'aal1', ${session.userAgent}, ${typed(session.ip, 'inet')},
        ${typed(session.notAfter, 'timestamptz')}, ${typed(session.oauthClientId, 'uuid')}, ${typed(session.scopes, 'text')},
        ${typed(key, 'text')}, ${typed(key === null ? null : 0, 'bigint')}
      )
    ), method as (
      insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
      values (${session.methodId}, ${session.id}, ${now}, ${now}, ${session.method})
    )${token}
    update auth.users set last_sign_in_at = ${now}, updated_at = ${now} where id = ${typed(session.userId, 'uuid')}`)
}

/** Begins a session: its row, how it was begun, its first refresh token, and the user's last sign-in. */
export async function insertSession(on: RequestSql, session: NewSession, now: Date): Promise<SessionRow> {
  await on.query(insertSessionStatement(session, now))
  const { id, userId, notAfter, oauthClientId, scopes, refreshToken } = session
  const signed = 'key' in refreshToken ? { key: refreshToken.key, counter: 0 } : null
  const fresh = { aal: 'aal1', createdAt: now, refreshedAt: null, tag: null, signed }
  return { id, userId, notAfter, oauthClientId, scopes, ...fresh }
}

/** A session as JSON: instants are texts. */
export interface SessionJson extends Omit<SessionRow, 'createdAt' | 'refreshedAt' | 'notAfter'> {
  readonly createdAt: string
  readonly refreshedAt: string | null
  readonly notAfter: string | null
}

/** One column of a statement about something else: the session of an id, or null. */
export const sessionAsJson = (id: string | null): SqlFragment => sql`(
  select to_jsonb(t) from (select ${sessionColumns} from auth.sessions s where s.id = ${typed(id, 'uuid')}) t
)`

/** The row that `sessionAsJson` gave. */
export const readSession = (json: SessionJson): SessionRow => ({
  ...json,
  createdAt: new Date(json.createdAt),
  refreshedAt: json.refreshedAt === null ? null : new Date(json.refreshedAt),
  notAfter: json.notAfter === null ? null : new Date(json.notAfter),
})

/** Always true, and said of a row before it is locked: a round trip less than to say it before. */
const waitsAtMost = constant(`pg_catalog.set_config('lock_timeout', '5s', true) is not null`)

const lockSessionOfTokenStatement = (token: string): Statement =>
  compile(sql`
    select ${sessionColumns}
    from auth.sessions s
    where s.id = (select session_id from auth.refresh_tokens where token = ${token}) and ${waitsAtMost}
    for update`)

/**
 * The session of a refresh token, locked until the transaction ends, so that of several refreshes one acts at a time.
 * The wait is bounded (55P03 beyond it).
 */
export async function lockSessionOfToken(on: RequestSql, token: string): Promise<SessionRow | undefined> {
  return (await on.query<SessionRow>(lockSessionOfTokenStatement(token))).rows[0]
}

const lockSessionStatement = (id: string): Statement =>
  compile(sql`
    select ${sessionColumns} from auth.sessions s where s.id = ${id} and ${waitsAtMost} for update`)

/** The session of an id, locked likewise. */
export async function lockSession(on: RequestSql, id: string): Promise<SessionRow | undefined> {
  return (await on.query<SessionRow>(lockSessionStatement(id))).rows[0]
}

const selectSessionsStatement = (userId: string): Statement =>
  compile(sql`select ${sessionColumns} from auth.sessions s where s.user_id = ${userId}`)

/** Every session of a user. */
export async function findSessions(on: RequestSql, userId: string): Promise<readonly SessionRow[]> {
  return (await on.query<SessionRow>(selectSessionsStatement(userId))).rows
}

const setSignedStateStatement = (id: string, { key, counter }: SignedState, now: Date): Statement =>
  compile(sql`
    update auth.sessions
    set refresh_token_hmac_key = ${key}, refresh_token_counter = ${counter}, updated_at = ${now}
    where id = ${id}`)

/** Stores how a session's signed tokens are made. */
export async function setSignedState(on: RequestSql, id: string, state: SignedState, now: Date): Promise<void> {
  await on.query(setSignedStateStatement(id, state, now))
}

interface SessionRefresh {
  readonly id: string
  readonly userAgent: string | null
  readonly ip: string
}

const touchSessionStatement = (session: SessionRefresh, now: Date): Statement =>
  compile(sql`
    with touched as (
      update auth.sessions
      set refreshed_at = ${typed(now, 'timestamptz')} at time zone 'utc', updated_at = ${now},
        user_agent = ${session.userAgent}, ip = ${typed(session.ip, 'inet')}
      where id = ${session.id}
    )
    select authentication_method as method, updated_at as at
    from auth.mfa_amr_claims
    where session_id = ${session.id}`)

/** Notes a refresh, and answers how the session was begun. */
export async function touchSession(
  on: RequestSql,
  session: SessionRefresh,
  now: Date,
): Promise<readonly { readonly method: string; readonly at: Date }[]> {
  return (await on.query<{ method: string; at: Date }>(touchSessionStatement(session, now))).rows
}

const selectMethodsStatement = (sessionId: string): Statement =>
  compile(sql`select authentication_method as method from auth.mfa_amr_claims where session_id = ${sessionId}`)

/** How a session was begun, and raised since. */
export async function findMethods(on: RequestSql, sessionId: string): Promise<readonly string[]> {
  return (await on.query<{ method: string }>(selectMethodsStatement(sessionId))).rows.map(({ method }) => method)
}

type SessionSelection = { readonly only: string } | { readonly except: string } | 'all'

function deleteSessionsStatement(userId: string, which: SessionSelection): Statement {
  const condition =
    which === 'all' ? sql`` : 'only' in which ? sql`and id = ${which.only}` : sql`and id <> ${which.except}`
  return compile(sql`delete from auth.sessions where user_id = ${userId} ${condition}`)
}

/** Ends sessions of a user: all, one, or all but one. Their tokens go with them. */
export async function deleteSessions(on: RequestSql, userId: string, which: SessionSelection): Promise<void> {
  await on.query(deleteSessionsStatement(userId, which))
}

interface RaisedSession {
  readonly id: string
  readonly factorId: string
  readonly method: string
  readonly methodId: string
}

const raiseSessionStatement = (session: RaisedSession, now: Date): Statement =>
  compile(sql`
    with raised as (
      update auth.sessions set aal = 'aal2', factor_id = ${session.factorId}, updated_at = ${now}
      where id = ${session.id}
    ), proved as (
      insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
      values (${session.methodId}, ${session.id}, ${now}, ${now}, ${session.method})
      on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at
      returning authentication_method as method, updated_at as at
    )
    select method, at from proved
    union all
    select authentication_method, updated_at
    from auth.mfa_amr_claims
    where session_id = ${session.id} and authentication_method <> ${session.method}`)

/** Raises a session to the second level, and answers how its user proved who they are by now. */
export async function raiseSession(
  on: RequestSql,
  session: RaisedSession,
  now: Date,
): Promise<readonly { readonly method: string; readonly at: Date }[]> {
  return (await on.query<{ method: string; at: Date }>(raiseSessionStatement(session, now))).rows
}

const deleteLowerSessionsStatement = (userId: string, except: string): Statement =>
  compile(sql`
    delete from auth.sessions
    where user_id = ${userId} and id <> ${except} and coalesce(aal, 'aal1') < 'aal2'`)

/** Ends a user's sessions below the second level, but for one. */
export async function deleteLowerSessions(on: RequestSql, userId: string, except: string): Promise<void> {
  await on.query(deleteLowerSessionsStatement(userId, except))
}
