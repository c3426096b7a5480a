import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { RefreshTokenRow, SessionRow } from '../model/session.ts'
import type { RequestSql } from './database.ts'

/** The state of a refresh token, by the tokens of its session. */
export interface RefreshTokenRows {
  readonly used: RefreshTokenRow
  /** The newest that still lives. */
  readonly active: RefreshTokenRow | null
  readonly newest: RefreshTokenRow
}

const selectRefreshTokensStatement = (token: string, sessionId: string): Statement =>
  compile(sql`
    select token, coalesce(revoked, false) as revoked, coalesce(updated_at, created_at) as "updatedAt", parent
    from auth.refresh_tokens
    where token = ${token} and session_id = ${sessionId}
      or id = (
        select max(id) from auth.refresh_tokens where session_id = ${sessionId} and not coalesce(revoked, false)
      )
      or id = (select max(id) from auth.refresh_tokens where session_id = ${sessionId})
    order by id desc`)

/** The token that was used, and the newest ones of its session. */
export async function findRefreshTokens(
  on: RequestSql,
  token: string,
  sessionId: string,
): Promise<RefreshTokenRows | undefined> {
  const { rows } = await on.query<RefreshTokenRow>(selectRefreshTokensStatement(token, sessionId))
  const used = rows.find((row) => row.token === token)
  const [newest] = rows
  if (used === undefined || newest === undefined) return undefined
  return { used, newest, active: rows.find((row) => !row.revoked) ?? null }
}

interface RefreshTokenSwap {
  readonly used: string
  readonly child: string
  readonly session: SessionRow
  /** For a child that only marks where the session's tokens went on otherwise. */
  readonly childRevoked?: boolean
}

const swapRefreshTokenStatement = (swap: RefreshTokenSwap, now: Date): Statement =>
  compile(sql`
    with used as (
      update auth.refresh_tokens set revoked = true, updated_at = ${now}
      where token = ${swap.used} and not coalesce(revoked, false)
    )
    insert into auth.refresh_tokens (
      instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id
    )
    values (
      '00000000-0000-0000-0000-000000000000', ${swap.child}, ${swap.session.userId}, ${swap.childRevoked ?? false}, ${now}, ${now},
      ${swap.used}, ${swap.session.id}
    )`)

/** Replaces a refresh token by its child. */
export async function swapRefreshToken(on: RequestSql, swap: RefreshTokenSwap, now: Date): Promise<void> {
  await on.query(swapRefreshTokenStatement(swap, now))
}

const revokeRefreshTokensStatement = (sessionId: string, now: Date): Statement =>
  compile(sql`
    update auth.refresh_tokens set revoked = true, updated_at = ${now}
    where session_id = ${sessionId} and not coalesce(revoked, false)`)

/** Ends every refresh token of a session; the session's row stays. */
export async function revokeRefreshTokens(on: RequestSql, sessionId: string, now: Date): Promise<void> {
  await on.query(revokeRefreshTokensStatement(sessionId, now))
}

const selectActiveRefreshTokenStatement = (sessionId: string): Statement =>
  compile(sql`
    select token from auth.refresh_tokens
    where session_id = ${sessionId} and not coalesce(revoked, false)
    order by id desc
    limit 1`)

/** The newest token of a session that still lives. */
export async function findActiveRefreshToken(on: RequestSql, sessionId: string): Promise<string | undefined> {
  return (await on.query<{ token: string }>(selectActiveRefreshTokenStatement(sessionId))).rows[0]?.token
}
