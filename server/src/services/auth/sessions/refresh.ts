import { createHash } from 'node:crypto'
import { type Sql, sqlStateOf } from '../../../engines/postgres/index.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError, oauthError } from '../errors.ts'
import { readText } from '../parse/body.ts'
import { insertAudit } from '../store/audit.ts'
import {
  deleteSessions,
  findRefreshTokens,
  findSessions,
  lockSession,
  lockSessionOfToken,
  type RefreshTokenRows,
  revokeRefreshTokens,
  type SessionRow,
  type SignedState,
  setSignedState,
  swapRefreshToken,
  touchSession,
} from '../store/sessions.ts'
import { findUser, type UserRow } from '../store/users.ts'
import { isBanned } from './caller.ts'
import { amrOf, issueTokens, userAgentOf } from './issue-session.ts'
import { planRefresh, planSignedRefresh, type RefreshPlan, type RefreshRules } from './refresh-plan.ts'
import {
  createRefreshToken,
  createRefreshTokenKey,
  isSignedWith,
  type ParsedRefreshToken,
  parseRefreshToken,
  signRefreshToken,
} from './refresh-token.ts'
import {
  findNewerSession,
  findSessionEnd,
  hasVerifiedFactor,
  lastRefreshOf,
  sessionRulesOf,
} from './session-validity.ts'

/**
 * `POST /token?grant_type=refresh_token` (auth §8). The session's row is locked first, so that tabs which refresh at
 * the same moment act one after the other and get the same new token.
 *
 * @param oauthClientId the client of the OAuth server that asks; null at `/token`. A session belongs to one of them.
 */
export async function refreshSession(
  parts: Parts,
  { body, work }: Call,
  oauthClientId: string | null = null,
): Promise<Reply> {
  const text = readText(body, 'refresh_token')
  if (text === '') throw authError('validation_failed', { message: 'refresh_token required' })
  const token = parseRefreshToken(text)
  if (token === null) throw authError('validation_failed', { message: 'Refresh token is not valid' })
  // A burst of tabs waits here instead of holding a connection each, one behind the other.
  return parts.sharedRefresh(`${oauthClientId ?? ''} ${text}`, () => refreshAlone(parts, token, oauthClientId, work))
}

async function refreshAlone(
  parts: Parts,
  token: ParsedRefreshToken,
  oauthClientId: string | null,
  work: Call['work'],
): Promise<Reply> {
  try {
    const outcome = await parts.database.change(work, (sql) => refresh(parts, sql, token, oauthClientId, work))
    // Thrown after the commit: the end of a stolen session must survive the refusal.
    if ('refused' in outcome) throw outcome.refused
    return outcome.reply
  } catch (error) {
    // lock_not_available: others have been refreshing this session for seconds.
    if (sqlStateOf(error) === '55P03') throw authError('conflict', { cause: error })
    throw error
  }
}

type Outcome = { readonly reply: Reply } | { readonly refused: Error }

async function refresh(
  parts: Parts,
  sql: Sql,
  token: ParsedRefreshToken,
  oauthClientId: string | null,
  work: Call['work'],
): Promise<Outcome> {
  const now = parts.now()
  const { session, tokens } = await lockFacts(sql, token, work)
  const user = await findUser(sql, session.userId, work)
  if (user === undefined) throw authError('refresh_token_not_found')
  if (isBanned(user, now)) throw authError('user_banned/400', { message: 'Invalid Refresh Token: User Banned' })
  if (session.oauthClientId !== oauthClientId)
    throw oauthError('invalid_client', 'The session does not belong to this client')
  await checkSession(parts, sql, session, user, tokens?.used.updatedAt ?? null, work)

  const plan = planOf(parts, token, session, tokens, now)
  const audited = { newId: parts.newId, now, work }
  if (plan.kind === 'foreign')
    throw authError('validation_failed', { message: 'Invalid Refresh Token: Not Issued By This Server' })
  if (plan.kind === 'reused') {
    if (plan.end === 'tokens') await revokeRefreshTokens(sql, session.id, now, work)
    if (plan.end === 'session') await deleteSessions(sql, user.id, { only: session.id }, work)
    if (plan.end === 'nothing') return { refused: authError('refresh_token_already_used') }
    await insertAudit(sql, user, ['token_revoked'], audited)
    const headers = { 'sb-auth-refresh-token-rotated': 'true' }
    return { refused: authError('refresh_token_already_used', { headers }) }
  }
  const next = await keepNext(parts, sql, plan, session, tokens, work)
  const agent = { id: session.id, userAgent: userAgentOf(work), ip: work.remoteAddress }
  const methods = amrOf(await touchSession(sql, agent, now, work))
  await insertAudit(sql, user, next.isNew ? ['token_revoked', 'token_refreshed'] : ['token_refreshed'], audited)
  const issued = { session, methods, refreshToken: next.token, authenticationMethod: 'token_refresh' }
  const { reply } = await issueTokens(parts, user, issued, { sql, work })
  return { reply: { ...reply, headers: { ...reply.headers, ...reuseHeaders(plan) } } }
}

/** The locked session of a token, and for an opaque one the rows that tell what became of it. */
async function lockFacts(
  sql: Sql,
  token: ParsedRefreshToken,
  work: Call['work'],
): Promise<{ readonly session: SessionRow; readonly tokens: RefreshTokenRows | null }> {
  if (token.version === 2) {
    const session = await lockSession(sql, token.sessionId, work)
    if (session?.signed == null || !isSignedWith(session.signed.key, token)) throw authError('refresh_token_not_found')
    return { session, tokens: null }
  }
  const session = await lockSessionOfToken(sql, token.token, work)
  const tokens = session === undefined ? undefined : await findRefreshTokens(sql, token.token, session.id, work)
  if (session === undefined || tokens === undefined) throw authError('refresh_token_not_found')
  return { session, tokens }
}

/** @throws session_expired */
async function checkSession(
  parts: Parts,
  sql: Sql,
  session: SessionRow,
  user: UserRow,
  tokenAt: Date | null,
  work: Call['work'],
): Promise<void> {
  const { settings } = parts
  const rules = sessionRulesOf(settings)
  const facts = { tokenAt, hasVerifiedFactor: hasVerifiedFactor(user), now: parts.now() }
  const end = findSessionEnd({ session, ...facts }, rules)
  if (end !== null) throw authError('session_expired', { message: `Invalid Refresh Token: ${end}` })
  if (!settings.sessionSinglePerUser) return
  const others = await findSessions(sql, user.id, work)
  if (findNewerSession(session, others, { ...facts, rules, tags: settings.sessionTags }) !== undefined)
    throw authError('session_expired', {
      message: 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)',
    })
}

function planOf(
  { settings }: Parts,
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

/** Keeps the token that the caller gets, where it is a new one. */
async function keepNext(
  parts: Parts,
  sql: Sql,
  plan: GoodPlan,
  session: SessionRow,
  tokens: RefreshTokenRows | null,
  work: Call['work'],
): Promise<{ readonly token: string; readonly isNew: boolean }> {
  const now = parts.now()
  if (plan.kind === 'repeat') return { token: plan.token, isNew: false }
  if (plan.kind === 'count' || plan.kind === 'recount') {
    const key = session.signed?.key ?? ''
    const isNew = plan.kind === 'count'
    if (isNew) await setSignedState(sql, session.id, { key, counter: plan.counter }, now, work)
    return { token: signRefreshToken(session.id, plan.counter, key), isNew }
  }
  const upgrade = isUpgraded(session.id, parts.settings)
  const child = createRefreshToken()
  const swap = { used: tokens?.used.token ?? '', child, session, childRevoked: upgrade }
  await swapRefreshToken(sql, swap, now, work)
  if (!upgrade) return { token: child, isNew: true }
  const state: SignedState = { key: createRefreshTokenKey(), counter: 0 }
  await setSignedState(sql, session.id, state, now, work)
  return { token: signRefreshToken(session.id, 0, state.key), isNew: true }
}

/** Whether a session goes over to signed tokens: a share of all sessions, not of all calls. */
export function isUpgraded(
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
