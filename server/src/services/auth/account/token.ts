import { createHash } from 'node:crypto'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { idTokenGrant } from '../external/id-token.ts'
import { linkIdentity } from '../external/link-identity.ts'
import { askPasswordHook } from '../hooks/password.ts'
import { readText } from '../parse/body.ts'
import { phoneDigits } from '../parse/phone.ts'
import { isBanned } from '../sessions/caller.ts'
import { issueSession } from '../sessions/issue-session.ts'
import { refreshSession } from '../sessions/refresh.ts'
import { insertAudit } from '../store/audit.ts'
import { deleteFlow, lockFlow } from '../store/one-time-tokens.ts'
import { findUser, findUserByEmail, findUserByPhone } from '../store/users.ts'
import { audienceOf, isOfAudience } from '../users/audience.ts'

/** `POST /token?grant_type=…` (auth §7). */
export async function token(parts: Parts, call: Call, grantType: string): Promise<Reply> {
  switch (grantType) {
    case 'password':
      return passwordGrant(parts, call)
    case 'refresh_token':
      return refreshSession(parts, call)
    case 'id_token':
      return idTokenGrant(parts, call)
    case 'pkce':
      return pkceGrant(parts, call)
    case 'web3': {
      // Loaded by the first who needs it, as its curves are.
      const { web3Grant } = await import('../web3/grant.ts')
      return web3Grant(parts, call)
    }
    default:
      throw authError('invalid_credentials', { message: 'unsupported_grant_type' })
  }
}

async function passwordGrant(parts: Parts, { body, work }: Call): Promise<Reply> {
  const { settings } = parts
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  const password = readText(body, 'password')
  if (address !== '' && phone !== '')
    throw authError('validation_failed', {
      message: 'Only an email address or phone number should be provided on login.',
    })
  const provider = address === '' ? 'phone' : 'email'
  const given = address === '' ? phone : address
  if (given === '') throw authError('validation_failed', { message: 'missing email or phone' })
  if (provider === 'email' && !settings.emailEnableSignup) throw authError('email_provider_disabled/422')
  if (provider === 'phone' && !settings.smsEnableSignup) throw authError('phone_provider_disabled/422')

  const found =
    provider === 'email'
      ? await findUserByEmail(parts.database.sql, given.toLowerCase(), work)
      : await findUserByPhone(parts.database.sql, phoneDigits(given), work)
  const audience = audienceOf(work, settings)
  const user = found !== undefined && isOfAudience(found, audience, settings) ? found : undefined
  // One comparison whoever it is, so that neither the answer nor its time tells whether there is such a user.
  const fits = await parts.passwords.matches(password, user?.passwordHash ?? null)
  if (user?.passwordHash) await askPasswordHook(parts, user, fits, work)
  if (user === undefined || !user.passwordHash) throw authError('invalid_credentials')
  if (isBanned(user, parts.now())) throw authError('user_banned/400')
  if (!fits) throw authError('invalid_credentials')
  if (provider === 'email' && user.emailConfirmedAt === null) throw authError('email_not_confirmed')
  if (provider === 'phone' && user.phoneConfirmedAt === null) throw authError('phone_not_confirmed')

  const weak = await parts.passwordPolicy.judge(password)
  return parts.database.change(work, async (sql) => {
    const { reply } = await issueSession(parts, sql, user, 'password', work)
    await insertAudit(sql, user, ['login'], { newId: parts.newId, now: parts.now(), work }, { provider })
    return weak === null ? reply : { ...reply, body: { ...(reply.body as object), weak_password: weak } }
  })
}

/** Exchanges the code of a PKCE flow (auth §21); of several exchanges at once one succeeds. */
async function pkceGrant(parts: Parts, { body, work }: Call): Promise<Reply> {
  const code = readText(body, 'auth_code')
  const verifier = readText(body, 'code_verifier')
  if (code === '' || verifier === '')
    throw authError('validation_failed', {
      message: 'invalid request: both auth code and code verifier should be non-empty',
    })
  const result = await parts.outbox.changeAndSend(work, async (sql, post) => {
    const flow = await lockFlow(sql, code, work)
    if (flow === undefined) throw authError('flow_state_not_found')
    const expiresAt = flow.issuedAt.getTime() + parts.settings.flowStateExpirySeconds * 1000
    if (parts.now().getTime() > expiresAt) throw authError('flow_state_expired')
    const given = flow.challengeMethod === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
    if (!equalInConstantTime(given, flow.challenge)) throw authError('bad_code_verifier')
    const found = await findUser(sql, flow.userId, work)
    if (found === undefined) throw authError('flow_state_not_found')
    if (isBanned(found, parts.now())) throw authError('user_banned/400')
    await deleteFlow(sql, flow.id, work)
    const linking = { work, redirectTo: flow.redirectTo }
    const outcome =
      flow.pending === null
        ? ({ kind: 'signed in', user: found } as const)
        : await linkIdentity(parts, sql, found.id, flow.pending, linking, post)
    if (outcome.kind === 'refused') return outcome
    const { user } = outcome
    const { reply } = await issueSession(parts, sql, user, flow.method, work, {
      notAfter: flow.sessionNotAfter,
    })
    const traits = { provider_type: flow.provider }
    await insertAudit(sql, user, ['login'], { newId: parts.newId, now: parts.now(), work }, traits)
    const { providerToken, providerRefreshToken } = flow
    const theirs = {
      ...(providerToken ? { provider_token: providerToken } : {}),
      ...(providerRefreshToken ? { provider_refresh_token: providerRefreshToken } : {}),
    }
    return { kind: 'reply', reply: { ...reply, body: { ...(reply.body as object), ...theirs } } } as const
  })
  // Thrown after the commit: the way to sign in that waits for a confirmation is kept.
  if (result.kind === 'refused') throw result.error
  return result.reply
}
