import { signToken } from '../../../ground/jwt/sign.ts'
import type { RequestContext } from '../model/call.ts'
import type { UserRow } from '../model/user.ts'
import { renderUser } from '../render/user.ts'
import type { RequestSql } from '../store/database.ts'
import { insertSession } from '../store/sessions.ts'
import { planAccessToken } from './access-token.ts'
import type { SessionsDeps } from './deps.ts'
import { createRefreshToken, createRefreshTokenKey, parseRefreshToken, signRefreshToken } from './refresh-token.ts'
import type { IssuedTokens, SessionOptions, TokenSession } from './sessions.ts'

type TokenDeps = Pick<SessionsDeps, 'keys' | 'now' | 'newId' | 'settings' | 'hooks'>

/** Begins a session for a user who has just proved who they are; runs inside the caller's transaction. */
export async function issueSession(
  deps: TokenDeps,
  sql: RequestSql,
  user: UserRow,
  method: string,
  options: SessionOptions = {},
): Promise<IssuedTokens> {
  const now = deps.now()
  const id = deps.newId()
  const isSigned = deps.settings.refreshTokenAlgorithmVersion === 2
  const origin = isSigned ? { key: createRefreshTokenKey() } : { opaque: createRefreshToken() }
  const session = await insertSession(
    sql,
    {
      id,
      userId: user.id,
      method,
      methodId: deps.newId(),
      refreshToken: origin,
      userAgent: userAgentOf(sql.context),
      ip: sql.context.remoteAddress,
      notAfter: options.notAfter ?? null,
      oauthClientId: options.oauthClient?.id ?? null,
      scopes: options.oauthClient?.scopes ?? null,
    },
    now,
  )
  const methods = [{ method, timestamp: Math.floor(now.getTime() / 1000) }]
  const refreshToken = 'key' in origin ? signRefreshToken(id, 0, origin.key) : origin.opaque
  const signedIn = { ...user, lastSignInAt: now, updatedAt: now }
  return issueTokens(deps, sql, signedIn, { session, methods, refreshToken, authenticationMethod: method })
}

/**
 * Makes the access token of a session and the answer that carries it. The custom access token hook has the last word on
 * the claims.
 *
 * @throws the hook's error
 */
export async function issueTokens(
  deps: TokenDeps,
  sql: RequestSql,
  user: UserRow,
  { session, methods, refreshToken, authenticationMethod }: TokenSession,
): Promise<IssuedTokens> {
  const { settings } = deps
  const { claims, expiresInSeconds, expiresAtSeconds } = planAccessToken(user, session, methods, {
    issuer: settings.jwtIssuer ?? settings.externalUrl,
    expirySeconds: settings.jwtExpirySeconds,
    allowLowAalSeconds: settings.sessionAllowLowAalSeconds,
    now: deps.now(),
  })
  const custom = await deps.hooks.customizeAccessToken(
    { userId: user.id, claims, authenticationMethod },
    { sql, context: sql.context },
  )
  const accessToken = signToken(custom, deps.keys.signing)
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

/** The client's user agent; cut, as clients choose its length. */
export function userAgentOf(context: RequestContext): string | null {
  const value = context.headers['user-agent']
  return typeof value === 'string' ? value.slice(0, 1000) : null
}

/** Tells one token from another in a log without showing it (auth §1). */
function tokenHeader(refreshToken: string): Readonly<Record<string, string>> {
  const token = parseRefreshToken(refreshToken)
  return token?.version === 2
    ? { 'sb-auth-refresh-token-counter': String(token.counter) }
    : { 'sb-auth-refresh-token-prefix': refreshToken.slice(0, 5) }
}
