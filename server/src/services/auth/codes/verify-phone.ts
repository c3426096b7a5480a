import type { Sql } from '../../../engines/postgres/index.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { parsePhone } from '../parse/phone.ts'
import { isBanned } from '../sessions/caller.ts'
import { issueSession } from '../sessions/issue-session.ts'
import { insertAudit } from '../store/audit.ts'
import {
  clearOneTimeTokens,
  countGuess,
  isOfSignUp,
  type TokenKind,
  takeGuessedToken,
} from '../store/one-time-tokens.ts'
import { emptyAccount } from '../store/prepared-account.ts'
import { findUserByNewPhone, findUserByPhone, lockUser, type UserRow, updateUser } from '../store/users.ts'
import { withProviders } from '../users/contact-user.ts'
import { getUserRow } from '../users/new-user.ts'
import { applyPhone } from './phone-change.ts'

/** A code somebody typed, and the number it was sent to. */
interface TypedCode {
  readonly type: string
  readonly code: string
  readonly phone: string
}

/** `POST /verify` of types `sms` and `phone_change` (auth §10). */
export async function verifyPhone(parts: Parts, { work }: Call, typed: TypedCode): Promise<Reply> {
  const phone = parsePhone(typed.phone)
  // Asked before anything is locked: a provider that keeps the codes may take its time.
  const isKnownElsewhere = await isRightElsewhere(parts, { ...typed, phone }, work)
  const reply = await parts.database.change(work, async (sql) => {
    const redeemed = await redeemCode(parts, sql, { ...typed, phone }, isKnownElsewhere, work)
    if (redeemed === undefined) return undefined
    const { user, ofSignUp } = redeemed
    if (isBanned(user, parts.now())) throw authError('user_banned')
    const audited = { newId: parts.newId, now: parts.now(), work }
    if (typed.type === 'phone_change') {
      await applyPhone(parts, sql, user, phone, work)
      await insertAudit(sql, user, ['user_modified'], audited)
    } else {
      await confirmPhone(parts, sql, user, ofSignUp, work)
      if (user.phoneConfirmedAt === null)
        await insertAudit(sql, user, ['user_signedup'], audited, { provider: 'phone' })
    }
    const current = await getUserRow(sql, user.id, work)
    notifyOfPhone(parts, sql, user, current, work)
    const { reply } = await issueSession(parts, sql, current, 'otp', work)
    await insertAudit(sql, current, ['login'], audited, { provider: 'phone' })
    return reply
  })
  // Refused after the commit: the guess has been counted.
  if (reply === undefined) throw parts.guessLimits.refuse(phone, authError('otp_expired'))
  return reply
}

/** A number that replaces another, and one that is a new way to sign in, are worth a mail (auth §22). */
function notifyOfPhone(parts: Parts, sql: Sql, before: UserRow, now: UserRow, work: Call['work']): void {
  const hasPhone = (user: UserRow): boolean => user.identities.some(({ provider }) => provider === 'phone')
  if (before.phone && before.phone !== now.phone)
    parts.outbox.notify(sql, 'phone_changed', now, work, { oldPhone: before.phone })
  if (!hasPhone(before) && hasPhone(now)) parts.outbox.notify(sql, 'identity_linked', now, work, { provider: 'phone' })
}

/** Whether somebody else vouches for a code: the list of test numbers, or the provider that made it. Null for neither. */
async function isRightElsewhere(
  parts: Parts,
  { type, code, phone }: TypedCode,
  work: Call['work'],
): Promise<boolean | null> {
  const testCode = parts.testCodes.find(phone)
  if (testCode !== undefined) return testCode === code ? true : null
  if (parts.checkSmsCode === null) return null
  const guess = { kinds: [kindOf(type)], address: phone, limit: parts.settings.otpMaxWrongGuesses }
  const mayAsk = await parts.database.change(work, (sql) => countGuess(sql, guess, work))
  return mayAsk && parts.checkSmsCode({ phone, code })
}

const kindOf = (type: string): TokenKind => (type === 'phone_change' ? 'phone_change_token' : 'confirmation_token')

/** The user of a right code; undefined for a wrong one, which has been counted. */
async function redeemCode(
  parts: Parts,
  sql: Sql,
  { type, code, phone }: TypedCode,
  isRight: boolean | null,
  work: Call['work'],
): Promise<{ readonly user: UserRow; readonly ofSignUp: boolean } | undefined> {
  const isChange = type === 'phone_change'
  if (isRight === false) return undefined
  if (isRight === true) {
    const known = await (isChange ? findUserByNewPhone : findUserByPhone)(sql, phone, work)
    const user = known === undefined ? undefined : await lockUser(sql, known.id, work)
    return user && { user, ofSignUp: await isOfSignUp(sql, user.id, kindOf(type), work) }
  }
  const hashes = [parts.hashCode(phone, code)]
  const guess = { hashes, kinds: [kindOf(type)], address: phone, limit: parts.settings.otpMaxWrongGuesses }
  const taken = await takeGuessedToken(sql, guess, work)
  if (taken === undefined) return undefined
  const user = await lockUser(sql, taken.userId, work)
  if (user === undefined) throw authError('otp_expired')
  const sentAt = isChange ? user.phoneChangeSentAt : user.confirmationSentAt
  const expiresAt = (sentAt?.getTime() ?? 0) + parts.settings.smsOtpExpirySeconds * 1000
  const belongs = taken.address === phone && phone === (isChange ? user.newPhone : user.phone)
  if (!belongs || parts.now().getTime() > expiresAt) throw authError('otp_expired')
  return { user, ofSignUp: taken.ofSignUp }
}

async function confirmPhone(
  parts: Parts,
  sql: Sql,
  prepared: UserRow,
  ofSignUp: boolean,
  work: Call['work'],
): Promise<void> {
  const isPrepared = !ofSignUp && prepared.phoneConfirmedAt === null && prepared.emailConfirmedAt === null
  if (isPrepared) await emptyAccount(sql, prepared.id, { kind: 'phone' }, parts.now(), work)
  const user = isPrepared ? await getUserRow(sql, prepared.id, work) : prepared
  const providers = user.identities.map((identity) => identity.provider)
  const change = {
    phoneConfirmedAt: parts.now(),
    isAnonymous: false,
    appMetadata: withProviders(user.appMetadata, providers),
  }
  await updateUser(sql, user.id, change, parts.now(), work)
  await clearOneTimeTokens(sql, user.id, work)
}
