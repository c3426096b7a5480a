import { createHash } from 'node:crypto'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import type { AuthResponse, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { isBanned } from '../model/user.ts'
import { readText } from '../parse/body.ts'
import { phoneDigits } from '../parse/phone.ts'
import { deleteFlow, lockFlow } from '../store/one-time-tokens.ts'
import { findUser, findUserByEmail, findUserByPhone } from '../store/users.ts'
import { audienceOf, isOfAudience } from '../users/audience.ts'
import type { AccountDeps } from './deps.ts'
import { askPasswordHook } from './password-hook.ts'

/** `POST /token?grant_type=…` (auth §7). */
export async function token(deps: AccountDeps, call: Call, grantType: string): Promise<AuthResponse> {
  switch (grantType) {
    case 'password':
      return passwordGrant(deps, call)
    case 'refresh_token':
      return deps.refreshSession(call)
    case 'id_token':
      return deps.idTokenGrant(call)
    case 'pkce':
      return pkceGrant(deps, call)
    case 'web3':
      return deps.web3Grant(call)
    default:
      throw authError('invalid_credentials', { message: 'unsupported_grant_type' })
  }
}

async function passwordGrant(deps: AccountDeps, { body, context }: Call): Promise<AuthResponse> {
  const { settings } = deps
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  const password = readText(body, 'password')
  if (address !== '' && phone !== '')
    throw authError('validation_failed', {
      message: 'Only an email address or phone number should be provided on login.',
    })
  const provider = address === '' ? 'phone' : 'email'
  const contact = address === '' ? phone : address
  if (contact === '') throw authError('validation_failed', { message: 'missing email or phone' })
  if (provider === 'email' && !settings.emailEnableSignup) throw authError('email_provider_disabled/422')
  if (provider === 'phone' && !settings.smsEnableSignup) throw authError('phone_provider_disabled/422')

  const found =
    provider === 'email'
      ? await findUserByEmail(deps.database.for(context), contact.toLowerCase())
      : await findUserByPhone(deps.database.for(context), phoneDigits(contact))
  const audience = audienceOf(context, settings)
  const user = found !== undefined && isOfAudience(found, audience, settings) ? found : undefined
  // One comparison in every case, so that neither the answer nor its time tells whether there is such a user.
  const fits = await deps.passwords.matches(password, user?.passwordHash ?? null)
  if (user?.passwordHash) await askPasswordHook(deps, user, fits, context)
  if (user === undefined || !user.passwordHash) throw authError('invalid_credentials')
  if (isBanned(user, deps.now())) throw authError('user_banned/400')
  if (!fits) throw authError('invalid_credentials')
  if (provider === 'email' && user.emailConfirmedAt === null) throw authError('email_not_confirmed')
  if (provider === 'phone' && user.phoneConfirmedAt === null) throw authError('phone_not_confirmed')

  const weak = await deps.passwordPolicy.judge(password)
  return deps.database.change(context, async (sql) => {
    const { reply } = await deps.issueSession(sql, user, 'password')
    await deps.audit(sql, user, ['login'], { provider })
    return weak === null ? reply : { ...reply, body: { ...(reply.body as object), weak_password: weak } }
  })
}

/** Exchanges the code of a PKCE flow (auth §21); of several exchanges at once one succeeds. */
async function pkceGrant(deps: AccountDeps, { body, context }: Call): Promise<AuthResponse> {
  const code = readText(body, 'auth_code')
  const verifier = readText(body, 'code_verifier')
  if (code === '' || verifier === '')
    throw authError('validation_failed', {
      message: 'invalid request: both auth code and code verifier should be non-empty',
    })
  const result = await deps.outbox.changeAndSend(context, async (sql, post) => {
    const flow = await lockFlow(sql, code)
    if (flow === undefined) throw authError('flow_state_not_found')
    const expiresAt = flow.issuedAt.getTime() + deps.settings.flowStateExpirySeconds * 1000
    if (deps.now().getTime() > expiresAt) throw authError('flow_state_expired')
    const derivedChallenge =
      flow.challengeMethod === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
    if (!equalInConstantTime(derivedChallenge, flow.challenge)) throw authError('bad_code_verifier')
    const found = await findUser(sql, flow.userId)
    if (found === undefined) throw authError('flow_state_not_found')
    if (isBanned(found, deps.now())) throw authError('user_banned/400')
    await deleteFlow(sql, flow.id)
    const linking = { context, redirectTo: flow.redirectTo }
    const outcome =
      flow.pending === null
        ? ({ kind: 'signed in', user: found } as const)
        : await deps.linkIdentity(sql, found.id, flow.pending, linking, post)
    if (outcome.kind === 'error') return outcome
    const { user } = outcome
    const { reply } = await deps.issueSession(sql, user, flow.method, {
      notAfter: flow.sessionNotAfter,
    })
    const traits = { provider_type: flow.provider }
    await deps.audit(sql, user, ['login'], traits)
    const { providerToken, providerRefreshToken } = flow
    const theirs = {
      ...(providerToken ? { provider_token: providerToken } : {}),
      ...(providerRefreshToken ? { provider_refresh_token: providerRefreshToken } : {}),
    }
    return { kind: 'reply', reply: { ...reply, body: { ...(reply.body as object), ...theirs } } } as const
  })
  // Thrown after the commit: the way to sign in that waits for a confirmation stays.
  if (result.kind === 'error') throw result.error
  return result.reply
}
