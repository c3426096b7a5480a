import type { Sql } from '../../../engines/postgres/index.ts'
import { signToken } from '../../../ground/jwt/sign.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import type { Parts, Reply } from '../deps.ts'
import type { HookPlace } from '../hooks/hooks.ts'
import { renderUser } from '../render/user.ts'
import { insertSession, type SessionRow } from '../store/sessions.ts'
import type { UserRow } from '../store/users.ts'
import { type AuthenticationMethod, planAccessToken } from './access-token.ts'
import { createRefreshToken, createRefreshTokenKey, parseRefreshToken, signRefreshToken } from './refresh-token.ts'

type Needs = Pick<Parts, 'keys' | 'now' | 'newId' | 'settings' | 'hooks'>

/** A session's tokens, as text and as an answer. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
  readonly expiresAtSeconds: number
  readonly reply: Reply
}

/** What is special about a session. */
export interface SessionOptions {
  /** When it ends whatever happens, as an identity provider may demand. */
  readonly notAfter?: Date | null
  /** The client of the OAuth server it is for. */
  readonly oauthClient?: { readonly id: string; readonly scopes: string }
}

/** Begins a session for a user who has just proved who they are; runs inside the caller's transaction. */
export async function issueSession(
  parts: Needs,
  sql: Sql,
  user: UserRow,
  method: string,
  work: RequestWork,
  options: SessionOptions = {},
): Promise<IssuedTokens> {
  const now = parts.now()
  const id = parts.newId()
  const isSigned = parts.settings.refreshTokenAlgorithmVersion === 2
  const kept = isSigned ? { key: createRefreshTokenKey() } : { opaque: createRefreshToken() }
  const session = await insertSession(
    sql,
    {
      id,
      userId: user.id,
      method,
      methodId: parts.newId(),
      refreshToken: kept,
      userAgent: userAgentOf(work),
      ip: work.remoteAddress,
      notAfter: options.notAfter ?? null,
      oauthClientId: options.oauthClient?.id ?? null,
      scopes: options.oauthClient?.scopes ?? null,
    },
    now,
    work,
  )
  const methods = [{ method, timestamp: Math.floor(now.getTime() / 1000) }]
  const refreshToken = 'key' in kept ? signRefreshToken(id, 0, kept.key) : kept.opaque
  const signedIn = { ...user, lastSignInAt: now, updatedAt: now }
  return issueTokens(parts, signedIn, { session, methods, refreshToken, authenticationMethod: method }, { sql, work })
}

/** A session as its tokens show it. */
export interface TokenSession {
  readonly session: SessionRow
  /** How its user proved who they are, in any order. */
  readonly methods: readonly AuthenticationMethod[]
  readonly refreshToken: string
  /** What this token is issued for: a method, or `token_refresh`. */
  readonly authenticationMethod: string
}

/**
 * Makes the access token of a session and the answer that carries it. The custom access token hook has the last word on
 * the claims.
 *
 * @throws what the hook refused with
 */
export async function issueTokens(
  parts: Needs,
  user: UserRow,
  { session, methods, refreshToken, authenticationMethod }: TokenSession,
  place: HookPlace,
): Promise<IssuedTokens> {
  const { settings } = parts
  const { claims, expiresInSeconds, expiresAtSeconds } = planAccessToken(user, session, methods, {
    issuer: settings.jwtIssuer ?? settings.externalUrl,
    expirySeconds: settings.jwtExpirySeconds,
    allowLowAalSeconds: settings.sessionAllowLowAalSeconds,
    now: parts.now(),
  })
  const custom = await parts.hooks.customizeAccessToken({ userId: user.id, claims, authenticationMethod }, place)
  const accessToken = signToken(custom, parts.keys.signing)
  return {
    accessToken,
    refreshToken,
    expiresInSeconds,
    expiresAtSeconds,
    reply: {
      status: 200,
      body: {
        access_token: accessToken,
        token_type: 'bearer',
        expires_in: expiresInSeconds,
        expires_at: expiresAtSeconds,
        refresh_token: refreshToken,
        user: renderUser(user),
      },
      headers: {
        'sb-auth-user-id': user.id,
        'sb-auth-session-id': session.id,
        ...tokenHeader(refreshToken),
      },
    },
  }
}

/** A session's tokens as a redirect's fragment has them. */
export const tokenFields = (issued: IssuedTokens): Readonly<Record<string, string>> => ({
  access_token: issued.accessToken,
  expires_at: String(issued.expiresAtSeconds),
  expires_in: String(issued.expiresInSeconds),
  refresh_token: issued.refreshToken,
  token_type: 'bearer',
})

/** What the client says it is; cut, for it is theirs to choose. */
export function userAgentOf(work: RequestWork): string | null {
  const value = work.headers['user-agent']
  return typeof value === 'string' ? value.slice(0, 1000) : null
}

/** What a session's `amr` says, from its rows. */
export const amrOf = (
  methods: readonly { readonly method: string; readonly at: Date }[],
): readonly AuthenticationMethod[] =>
  methods.map(({ method, at }) => ({ method, timestamp: Math.floor(at.getTime() / 1000) }))

/** Tells one token from another in a log without showing it (auth §1). */
function tokenHeader(refreshToken: string): Readonly<Record<string, string>> {
  const token = parseRefreshToken(refreshToken)
  return token?.version === 2
    ? { 'sb-auth-refresh-token-counter': String(token.counter) }
    : { 'sb-auth-refresh-token-prefix': refreshToken.slice(0, 5) }
}
