import { createHash } from 'node:crypto'
import { sqlStateOf } from '../../../engines/postgres/index.ts'
import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError, oauthError } from '../model/errors.ts'
import { amrOf, type SessionRow, type SignedState } from '../model/session.ts'
import type { UserRow } from '../model/user.ts'
import { hasVerifiedFactor, isBanned } from '../model/user.ts'
import { readText } from '../parse/body.ts'
import type { RequestSql } from '../store/database.ts'
import {
  findRefreshTokens,
  type RefreshTokenRows,
  revokeRefreshTokens,
  swapRefreshToken,
} from '../store/refresh-tokens.ts'
import {
  deleteSessions,
  findSessions,
  lockSession,
  lockSessionOfToken,
  setSignedState,
  touchSession,
} from '../store/sessions.ts'
import { findUser } from '../store/users.ts'
import type { SessionsDeps } from './deps.ts'
import { issueTokens, userAgentOf } from './issue-session.ts'
import { planRefresh, planSignedRefresh, type RefreshPlan, type RefreshRules } from './refresh-plan.ts'
import {
  createRefreshToken,
  createRefreshTokenKey,
  isSignedWith,
  type ParsedRefreshToken,
  parseRefreshToken,
  signRefreshToken,
} from './refresh-token.ts'
import { findNewerSession, findSessionEnd, lastRefreshOf, sessionRulesOf } from './session-validity.ts'

/**
 * `POST /token?grant_type=refresh_token` (auth §8). The session's row is locked first, so that tabs which refresh at
 * one moment act one after the other and get one new token.
 *
 * @param oauthClientId the client of the OAuth server that asks; null at `/token`. A session belongs to one of them.
 */
export async function refreshSession(
  deps: SessionsDeps,
  { body, context }: Call,
  oauthClientId: string | null = null,
): Promise<AuthResponse> {
  const text = readText(body, 'refresh_token')
  if (text === '') throw authError('validation_failed', { message: 'refresh_token required' })
  const token = parseRefreshToken(text)
  if (token === null) throw authError('validation_failed', { message: 'Refresh token is not valid' })
  // A burst of tabs waits here instead of holding a connection each, one behind the other.
  return deps.singleRefresh(`${oauthClientId ?? ''} ${text}`, () => refreshAlone(deps, token, oauthClientId, context))
}

async function refreshAlone(
  deps: SessionsDeps,
  token: ParsedRefreshToken,
  oauthClientId: string | null,
  context: RequestContext,
): Promise<AuthResponse> {
  try {
    const outcome = await deps.database.change(context, (sql) => refresh(deps, sql, token, oauthClientId))
    // Thrown after the commit: the end of a stolen session must survive the error.
    if ('error' in outcome) throw outcome.error
    return outcome.reply
  } catch (error) {
    // lock_not_available: others have been refreshing this session for seconds.
    if (sqlStateOf(error) === '55P03') throw authError('conflict', { cause: error })
    throw error
  }
}

type Outcome = { readonly reply: AuthResponse } | { readonly error: Error }

async function refresh(
  deps: SessionsDeps,
  sql: RequestSql,
  token: ParsedRefreshToken,
  oauthClientId: string | null,
): Promise<Outcome> {
  const now = deps.now()
  const { session, tokens } = await lockFacts(sql, token)
  const user = await findUser(sql, session.userId)
  if (user === undefined) throw authError('refresh_token_not_found')
  if (isBanned(user, now)) throw authError('user_banned/400', { message: 'Invalid Refresh Token: User Banned' })
  if (session.oauthClientId !== oauthClientId)
    throw oauthError('invalid_client', 'The session does not belong to this client')
  await checkSession(deps, sql, session, user, tokens?.used.updatedAt ?? null)

  const plan = planOf(deps, token, session, tokens, now)
  if (plan.kind === 'foreign')
    throw authError('validation_failed', { message: 'Invalid Refresh Token: Not Issued By This Server' })
  if (plan.kind === 'reused') {
    if (plan.end === 'tokens') await revokeRefreshTokens(sql, session.id, now)
    if (plan.end === 'session') await deleteSessions(sql, user.id, { only: session.id })
    if (plan.end === 'nothing') return { error: authError('refresh_token_already_used') }
    await deps.audit(sql, user, ['token_revoked'])
    const headers = { 'sb-auth-refresh-token-rotated': 'true' }
    return { error: authError('refresh_token_already_used', { headers }) }
  }
  const next = await storeNext(deps, sql, plan, session, tokens)
  const agent = { id: session.id, userAgent: userAgentOf(sql.context), ip: sql.context.remoteAddress }
  const methods = amrOf(await touchSession(sql, agent, now))
  await deps.audit(sql, user, next.isNew ? ['token_revoked', 'token_refreshed'] : ['token_refreshed'])
  const issued = { session, methods, refreshToken: next.token, authenticationMethod: 'token_refresh' }
  const { reply } = await issueTokens(deps, sql, user, issued)
  return { reply: { ...reply, headers: { ...reply.headers, ...reuseHeaders(plan) } } }
}

/** The locked session of a token, and for an opaque one the rows that tell what became of it. */
async function lockFacts(
  sql: RequestSql,
  token: ParsedRefreshToken,
): Promise<{ readonly session: SessionRow; readonly tokens: RefreshTokenRows | null }> {
  if (token.version === 2) {
    const session = await lockSession(sql, token.sessionId)
    if (session?.signed == null || !isSignedWith(session.signed.key, token)) throw authError('refresh_token_not_found')
    return { session, tokens: null }
  }
  const session = await lockSessionOfToken(sql, token.token)
  const tokens = session === undefined ? undefined : await findRefreshTokens(sql, token.token, session.id)
  if (session === undefined || tokens === undefined) throw authError('refresh_token_not_found')
  return { session, tokens }
}

/** @throws session_expired */
async function checkSession(
  deps: SessionsDeps,
  sql: RequestSql,
  session: SessionRow,
  user: UserRow,
  tokenAt: Date | null,
): Promise<void> {
  const { settings } = deps
  const rules = sessionRulesOf(settings)
  const facts = { tokenAt, hasVerifiedFactor: hasVerifiedFactor(user), now: deps.now() }
  const end = findSessionEnd({ session, ...facts }, rules)
  if (end !== null) throw authError('session_expired', { message: `Invalid Refresh Token: ${end}` })
  if (!settings.sessionSinglePerUser) return
  const others = await findSessions(sql, user.id)
  if (findNewerSession(session, others, { ...facts, rules, tags: settings.sessionTags }) !== undefined)
    throw authError('session_expired', {
      message: 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)',
    })
}

function planOf(
  { settings }: SessionsDeps,
  token: ParsedRefreshToken,
  session: SessionRow,
  tokens: RefreshTokenRows | null,
  now: Date,
): RefreshPlan {
  const rules: RefreshRules = {
    reuseIntervalSeconds: settings.refreshTokenReuseIntervalSeconds,
    rotation: settings.enableRefreshTokenRotation,
    allowReuse: settings.refreshTokenAllowReuse,
  }
  const { signed } = session
  if (tokens !== null) return planRefresh({ ...tokens, signed, now }, rules)
  if (token.version === 1 || signed === null) throw authError('refresh_token_not_found')
  const lastRefreshAt = lastRefreshOf(session, null)
  return planSignedRefresh({ counter: token.counter, signed, lastRefreshAt, now }, rules)
}

type GoodPlan = Exclude<RefreshPlan, { kind: 'reused' } | { kind: 'foreign' }>

/** Stores the token that the caller gets, where it is a new one. */
async function storeNext(
  deps: SessionsDeps,
  sql: RequestSql,
  plan: GoodPlan,
  session: SessionRow,
  tokens: RefreshTokenRows | null,
): Promise<{ readonly token: string; readonly isNew: boolean }> {
  const now = deps.now()
  if (plan.kind === 'repeat') return { token: plan.token, isNew: false }
  if (plan.kind === 'count' || plan.kind === 'recount') {
    const key = session.signed?.key ?? ''
    const isNew = plan.kind === 'count'
    if (isNew) await setSignedState(sql, session.id, { key, counter: plan.counter }, now)
    return { token: signRefreshToken(session.id, plan.counter, key), isNew }
  }
  const upgrade = isUpgraded(session.id, deps.settings)
  const child = createRefreshToken()
  const swap = { used: tokens?.used.token ?? '', child, session, childRevoked: upgrade }
  await swapRefreshToken(sql, swap, now)
  if (!upgrade) return { token: child, isNew: true }
  const state: SignedState = { key: createRefreshTokenKey(), counter: 0 }
  await setSignedState(sql, session.id, state, now)
  return { token: signRefreshToken(session.id, 0, state.key), isNew: true }
}

/** Whether a session goes over to signed tokens: a share of all sessions, not of all calls. */
function isUpgraded(
  sessionId: string,
  settings: { readonly refreshTokenAlgorithmVersion: number; readonly refreshTokenUpgradePercentage: number },
): boolean {
  if (settings.refreshTokenAlgorithmVersion < 2) return false
  const share = createHash('sha256').update(sessionId).digest().readUInt32BE() % 100
  return share < settings.refreshTokenUpgradePercentage
}

function reuseHeaders(plan: GoodPlan): Readonly<Record<string, string>> {
  switch (plan.kind) {
    case 'swap':
    case 'count':
      return { 'sb-auth-refresh-token-reuse': 'false' }
    case 'branch':
      return { 'sb-auth-refresh-token-reuse': 'false', 'sb-auth-refresh-token-reuse-cause': 'concurrent-refresh' }
    case 'repeat':
    case 'recount':
      return { 'sb-auth-refresh-token-reuse-cause': plan.cause }
    default:
      return plan satisfies never
  }
}
