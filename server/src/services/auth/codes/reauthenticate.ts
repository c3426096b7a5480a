import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { countGuess, takeGuessedToken } from '../store/one-time-tokens.ts'
import { updateUser } from '../store/users.ts'
import type { CodesDeps } from './deps.ts'
import { sendMessage, sentReply } from './send-message.ts'
import { prepareReauthentication } from './send-token.ts'

/** `GET /reauthenticate` (auth §9): a code to the user's own address, which a change of password may ask for. */
export async function reauthenticate(deps: CodesDeps, call: Pick<Call, 'context'>): Promise<AuthResponse> {
  const { context } = call
  const { user } = await deps.findCaller(context)
  const { email, phone } = user
  if (!email && !phone)
    throw authError('validation_failed', {
      message: 'Reauthentication requires the user to have an email or a phone number',
    })
  if (email && user.emailConfirmedAt === null) throw authError('email_not_confirmed/422')
  if (!email && user.phoneConfirmedAt === null) throw authError('phone_not_confirmed/422')
  return deps.outbox.changeAndSend(context, async (sql, post) => {
    await deps.audit(sql, user, ['user_reauthenticate_requested'])
    if (email) {
      post(await prepareReauthentication(deps, sql, user))
      return sentReply('')
    }
    return sentReply(await sendMessage(deps, sql, user, 'reauthentication', { phone: phone ?? '', channel: 'sms' }))
  })
}

/**
 * Whether a code is the one that was sent for it, and not used yet; a right one is spent.
 *
 * @throws reauthentication_not_valid
 */
export async function checkNonce(
  deps: CodesDeps,
  user: UserRow,
  nonce: string,
  context: RequestContext,
): Promise<void> {
  const { settings } = deps
  const address = user.email || user.phone || ''
  const invalidNonce = () => deps.bruteForceLimit.errorFor(address, authError('reauthentication_not_valid'))
  const guess = { kinds: ['reauthentication_token'], address, limit: settings.otpMaxWrongGuesses } as const
  if (!user.email && deps.checkSmsCode !== null) {
    const mayAsk = await deps.database.change(context, (sql) => countGuess(sql, guess))
    if (!mayAsk || !(await deps.checkSmsCode({ phone: address, code: nonce }))) throw invalidNonce()
    return
  }
  const expirySeconds = user.email ? settings.emailOtpExpirySeconds : settings.smsOtpExpirySeconds
  const expiresAt = (user.reauthenticationSentAt?.getTime() ?? 0) + expirySeconds * 1000
  if (deps.now().getTime() > expiresAt) throw authError('reauthentication_not_valid')
  const hashes = deps.codeHashes(address, nonce)
  const isRight = await deps.database.change(context, async (sql) => {
    const taken = await takeGuessedToken(sql, { ...guess, hashes })
    if (taken === undefined) return false
    if (taken.userId !== user.id) throw authError('reauthentication_not_valid')
    await updateUser(sql, user.id, { reauthenticationToken: '' }, deps.now())
    return true
  })
  // Thrown after the commit: the guess has been counted.
  if (!isRight) throw invalidNonce()
}
