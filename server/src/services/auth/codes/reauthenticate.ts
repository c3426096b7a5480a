import type { RequestWork } from '../../../ground/model/request.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { findCaller } from '../sessions/caller.ts'
import { insertAudit } from '../store/audit.ts'
import { countGuess, takeGuessedToken } from '../store/one-time-tokens.ts'
import { type UserRow, updateUser } from '../store/users.ts'
import { sendMessage, sentReply } from './send-message.ts'
import { prepareReauthentication } from './send-token.ts'

/** `GET /reauthenticate` (auth §9): a code to the user's own address, which a change of password may ask for. */
export async function reauthenticate(parts: Parts, call: Pick<Call, 'work'>): Promise<Reply> {
  const { work } = call
  const { user } = await findCaller(parts, work)
  const { email, phone } = user
  if (!email && !phone)
    throw authError('validation_failed', {
      message: 'Reauthentication requires the user to have an email or a phone number',
    })
  if (email && user.emailConfirmedAt === null) throw authError('email_not_confirmed/422')
  if (!email && user.phoneConfirmedAt === null) throw authError('phone_not_confirmed/422')
  return parts.outbox.changeAndSend(work, async (sql, post) => {
    await insertAudit(sql, user, ['user_reauthenticate_requested'], { newId: parts.newId, now: parts.now(), work })
    if (email) {
      post(await prepareReauthentication(parts, sql, user, call))
      return sentReply('')
    }
    return sentReply(
      await sendMessage(parts, sql, user, 'reauthentication', { phone: phone ?? '', channel: 'sms' }, call),
    )
  })
}

/**
 * Whether a code is the one that was sent for it, and not used yet; a right one is spent.
 *
 * @throws reauthentication_not_valid
 */
export async function checkNonce(parts: Parts, user: UserRow, nonce: string, work: RequestWork): Promise<void> {
  const { settings } = parts
  const address = user.email || user.phone || ''
  const refuse = () => parts.guessLimits.refuse(address, authError('reauthentication_not_valid'))
  const guess = { kinds: ['reauthentication_token'], address, limit: settings.otpMaxWrongGuesses } as const
  if (!user.email && parts.checkSmsCode !== null) {
    const mayAsk = await parts.database.change(work, (sql) => countGuess(sql, guess, work))
    if (!mayAsk || !(await parts.checkSmsCode({ phone: address, code: nonce }))) throw refuse()
    return
  }
  const expirySeconds = user.email ? settings.emailOtpExpirySeconds : settings.smsOtpExpirySeconds
  const expiresAt = (user.reauthenticationSentAt?.getTime() ?? 0) + expirySeconds * 1000
  if (parts.now().getTime() > expiresAt) throw authError('reauthentication_not_valid')
  const hashes = [parts.hashCode(address, nonce)]
  const isRight = await parts.database.change(work, async (sql) => {
    const taken = await takeGuessedToken(sql, { ...guess, hashes }, work)
    if (taken === undefined) return false
    if (taken.userId !== user.id) throw authError('reauthentication_not_valid')
    await updateUser(sql, user.id, { reauthenticationToken: '' }, parts.now(), work)
    return true
  })
  // Refused after the commit: the guess has been counted.
  if (!isRight) throw refuse()
}
