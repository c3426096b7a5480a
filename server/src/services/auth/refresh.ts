import { isBanned } from './caller.ts'
import type { Call, Parts, Reply } from './deps.ts'
import { authError } from './errors.ts'
import { createRefreshToken, isRefreshToken, issueTokens, userAgentOf } from './issue-session.ts'
import { readText } from './parse/body.ts'
import { planRefresh, type RefreshPlan } from './refresh-plan.ts'
import { insertAudit } from './store/audit.ts'
import {
  findRefreshTokens,
  lockSessionOfToken,
  revokeRefreshTokens,
  type SessionRow,
  swapRefreshToken,
  touchSession,
} from './store/sessions.ts'
import { findUser } from './store/users.ts'

type Outcome = { readonly kind: 'reply'; readonly reply: Reply } | { readonly kind: 'reused' }

/**
 * `POST /token?grant_type=refresh_token` (contract §8). The session's row is locked first, so that tabs which refresh at
 * the same moment act one after the other and get the same new token.
 */
export async function refreshSession(parts: Parts, { body, work }: Call): Promise<Reply> {
  const used = readText(body, 'refresh_token')
  if (used === '') throw authError('validation_failed', { message: 'refresh_token required' })
  if (!isRefreshToken(used)) throw authError('validation_failed', { message: 'Refresh token is not valid' })
  const outcome = await refreshLocked(parts, used, work)
  // Thrown after the commit: the revocation of a stolen session must survive the refusal.
  if (outcome.kind === 'reused') throw authError('refresh_token_already_used')
  return outcome.reply
}

async function refreshLocked(parts: Parts, token: string, work: Call['work']): Promise<Outcome> {
  const { settings } = parts
  try {
    return await parts.database.change(work, async (sql) => {
      const now = parts.now()
      const session = await lockSessionOfToken(sql, token, work)
      if (session === undefined) throw authError('refresh_token_not_found')
      const tokens = await findRefreshTokens(sql, token, session.id, work)
      const user = await findUser(sql, session.userId, work)
      if (tokens.used === undefined || user === undefined) throw authError('refresh_token_not_found')
      if (isBanned(user, now)) throw authError('user_banned/400')

      const plan = planRefresh(
        { used: tokens.used, active: tokens.active, session, now },
        {
          reuseIntervalSeconds: settings.refreshTokenReuseIntervalSeconds,
          rotation: settings.enableRefreshTokenRotation,
          timeboxSeconds: settings.sessionTimeboxSeconds,
          inactivityTimeoutSeconds: settings.sessionInactivityTimeoutSeconds,
        },
      )
      if (plan.kind === 'expired') throw authError('session_expired', { message: plan.message })
      const audited = { newId: parts.newId, now, work }
      if (plan.kind === 'reused') {
        if (plan.endSession) await revokeRefreshTokens(sql, session.id, now, work)
        await insertAudit(sql, user, plan.endSession ? ['token_revoked'] : [], audited)
        return { kind: 'reused' }
      }
      const child = await childOf(plan, async (created) => {
        await swapRefreshToken(sql, { used: token, child: created, session }, now, work)
        await insertAudit(sql, user, ['token_revoked'], audited)
      })
      const agent = { id: session.id, userAgent: userAgentOf(work), ip: work.remoteAddress }
      const methods = await touchSession(sql, agent, now, work)
      await insertAudit(sql, user, ['token_refreshed'], audited)
      return { kind: 'reply', reply: answer(parts, user, session, methods, child, plan) }
    })
  } catch (error) {
    // lock_not_available: others have been refreshing this session for seconds.
    if (error instanceof Error && (error as { readonly code?: unknown }).code === '55P03')
      throw authError('conflict', { cause: error })
    throw error
  }
}

type GoodPlan = Exclude<RefreshPlan, { kind: 'expired' } | { kind: 'reused' }>

async function childOf(plan: GoodPlan, keep: (created: string) => Promise<void>): Promise<string> {
  if (plan.kind === 'repeat') return plan.token
  const created = createRefreshToken()
  await keep(created)
  return created
}

function answer(
  parts: Parts,
  user: Parameters<typeof issueTokens>[1],
  session: SessionRow,
  methods: readonly { readonly method: string; readonly at: Date }[],
  refreshToken: string,
  plan: GoodPlan,
): Reply {
  const amr = methods.map(({ method, at }) => ({ method, timestamp: Math.floor(at.getTime() / 1000) }))
  const { reply } = issueTokens(parts, user, session, amr, refreshToken)
  const reuse: Record<string, string> =
    plan.kind === 'swap'
      ? {}
      : {
          'sb-auth-refresh-token-reuse': 'false',
          'sb-auth-refresh-token-reuse-cause': plan.kind === 'repeat' ? 'fail-to-save' : 'concurrent-refresh',
        }
  return { ...reply, headers: { ...reply.headers, ...reuse } }
}
