import { randomInt } from 'node:crypto'
import type { Sql } from '../../engines/postgres/index.ts'
import { signToken } from '../../ground/jwt/sign.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import { type AuthenticationMethod, planAccessToken } from './access-token.ts'
import type { Parts, Reply } from './deps.ts'
import { renderUser } from './render/user.ts'
import { insertSession, type SessionRow } from './store/sessions.ts'
import type { UserRow } from './store/users.ts'

type Needs = Pick<Parts, 'keys' | 'now' | 'newId' | 'settings'>

/** A session's tokens, as text and as an answer. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
  readonly expiresAtSeconds: number
  readonly reply: Reply
}

/** Begins a session for a user who has just proved who they are; runs inside the caller's transaction. */
export async function issueSession(
  parts: Needs,
  sql: Sql,
  user: UserRow,
  method: string,
  work: RequestWork,
): Promise<IssuedTokens> {
  const now = parts.now()
  const refreshToken = createRefreshToken()
  const session = await insertSession(
    sql,
    {
      id: parts.newId(),
      userId: user.id,
      method,
      methodId: parts.newId(),
      refreshToken,
      userAgent: userAgentOf(work),
      ip: work.remoteAddress,
    },
    now,
    work,
  )
  const methods = [{ method, timestamp: Math.floor(now.getTime() / 1000) }]
  return issueTokens(parts, { ...user, lastSignInAt: now, updatedAt: now }, session, methods, refreshToken)
}

/** Makes the access token of a session and the answer that carries it. */
export function issueTokens(
  parts: Needs,
  user: UserRow,
  session: SessionRow,
  methods: readonly AuthenticationMethod[],
  refreshToken: string,
): IssuedTokens {
  const { settings } = parts
  const { claims, expiresInSeconds, expiresAtSeconds } = planAccessToken(user, session, methods, {
    issuer: settings.jwtIssuer ?? settings.externalUrl,
    expirySeconds: settings.jwtExpirySeconds,
    now: parts.now(),
  })
  const accessToken = signToken(claims, parts.keys.signing)
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
        'sb-auth-refresh-token-prefix': refreshToken.slice(0, 5),
      },
    },
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** 60 random bits as twelve letters (contract §8, v1). */
export const createRefreshToken = (): string =>
  Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Whether a text has the form of a refresh token. */
export const isRefreshToken = (text: string): boolean => /^[a-z0-9]{12}$/.test(text)

/** What the client says it is; cut, for it is theirs to choose. */
export function userAgentOf(work: RequestWork): string | null {
  const value = work.headers['user-agent']
  return typeof value === 'string' ? value.slice(0, 1000) : null
}
