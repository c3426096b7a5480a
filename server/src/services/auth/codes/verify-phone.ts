import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { TokenKind } from '../model/one-time-token.ts'
import type { UserRow } from '../model/user.ts'
import { isBanned, withProviders } from '../model/user.ts'
import { parsePhone } from '../parse/phone.ts'
import type { RequestSql } from '../store/database.ts'
import { clearOneTimeTokens, countGuess, isOfSignUp, takeGuessedToken } from '../store/one-time-tokens.ts'
import { emptyAccount } from '../store/prepared-account.ts'
import { findUserByNewPhone, findUserByPhone, getUserRow, lockUser, updateUser } from '../store/users.ts'
import type { CodesDeps } from './deps.ts'
import { applyPhone } from './phone-change.ts'

/** A typed code, and the number it was sent to. */
interface TypedCode {
  readonly type: string
  readonly code: string
  readonly phone: string
}

/** `POST /verify` of types `sms` and `phone_change` (auth §10). */
export async function verifyPhone(deps: CodesDeps, { context }: Call, typed: TypedCode): Promise<AuthResponse> {
  const phone = parsePhone(typed.phone)
  // Asked before anything is locked: a provider that has the codes may take its time.
  const isKnownElsewhere = await isRightElsewhere(deps, { ...typed, phone }, context)
  const reply = await deps.database.change(context, async (sql) => {
    const redeemed = await redeemCode(deps, sql, { ...typed, phone }, isKnownElsewhere)
    if (redeemed === undefined) return undefined
    const { user, ofSignUp } = redeemed
    if (isBanned(user, deps.now())) throw authError('user_banned')
    if (typed.type === 'phone_change') {
      await applyPhone(deps, sql, user, phone)
      await deps.audit(sql, user, ['user_modified'])
    } else {
      await confirmPhone(deps, sql, user, ofSignUp)
      if (user.phoneConfirmedAt === null) await deps.audit(sql, user, ['user_signedup'], { provider: 'phone' })
    }
    const current = await getUserRow(sql, user.id)
    notifyOfPhone(deps, sql, user, current)
    const { reply } = await deps.issueSession(sql, current, 'otp')
    await deps.audit(sql, current, ['login'], { provider: 'phone' })
    return reply
  })
  // Thrown after the commit: the guess has been counted.
  if (reply === undefined) throw deps.bruteForceLimit.errorFor(phone, authError('otp_expired'))
  return reply
}

/** A number that replaces another, and one that is a new way to sign in, are worth a mail (auth §22). */
function notifyOfPhone(deps: CodesDeps, sql: RequestSql, before: UserRow, now: UserRow): void {
  const hasPhone = (user: UserRow): boolean => user.identities.some(({ provider }) => provider === 'phone')
  if (before.phone && before.phone !== now.phone)
    deps.outbox.notify(sql, 'phone_changed', now, { oldPhone: before.phone })
  if (!hasPhone(before) && hasPhone(now)) deps.outbox.notify(sql, 'identity_linked', now, { provider: 'phone' })
}

/** Whether the list of test numbers, or the provider that made it, accepts a code. Null for neither. */
async function isRightElsewhere(
  deps: CodesDeps,
  { type, code, phone }: TypedCode,
  context: RequestContext,
): Promise<boolean | null> {
  const testCode = deps.testCodes.find(phone)
  if (testCode !== undefined) return testCode === code ? true : null
  if (deps.checkSmsCode === null) return null
  const guess = { kinds: [kindOf(type)], address: phone, limit: deps.settings.otpMaxWrongGuesses }
  const mayAsk = await deps.database.change(context, (sql) => countGuess(sql, guess))
  return mayAsk && deps.checkSmsCode({ phone, code })
}

const kindOf = (type: string): TokenKind => (type === 'phone_change' ? 'phone_change_token' : 'confirmation_token')

/** The user of a right code; undefined for a wrong one, which has been counted. */
async function redeemCode(
  deps: CodesDeps,
  sql: RequestSql,
  { type, code, phone }: TypedCode,
  isRight: boolean | null,
): Promise<{ readonly user: UserRow; readonly ofSignUp: boolean } | undefined> {
  const isChange = type === 'phone_change'
  if (isRight === false) return undefined
  if (isRight === true) {
    const known = await (isChange ? findUserByNewPhone : findUserByPhone)(sql, phone)
    const user = known === undefined ? undefined : await lockUser(sql, known.id)
    return user && { user, ofSignUp: await isOfSignUp(sql, user.id, kindOf(type)) }
  }
  const hashes = deps.codeHashes(phone, code)
  const guess = { hashes, kinds: [kindOf(type)], address: phone, limit: deps.settings.otpMaxWrongGuesses }
  const taken = await takeGuessedToken(sql, guess)
  if (taken === undefined) return undefined
  const user = await lockUser(sql, taken.userId)
  if (user === undefined) throw authError('otp_expired')
  const sentAt = isChange ? user.phoneChangeSentAt : user.confirmationSentAt
  const expiresAt = (sentAt?.getTime() ?? 0) + deps.settings.smsOtpExpirySeconds * 1000
  const belongs = taken.address === phone && phone === (isChange ? user.newPhone : user.phone)
  if (!belongs || deps.now().getTime() > expiresAt) throw authError('otp_expired')
  return { user, ofSignUp: taken.ofSignUp }
}

async function confirmPhone(deps: CodesDeps, sql: RequestSql, prepared: UserRow, ofSignUp: boolean): Promise<void> {
  const isPrepared = !ofSignUp && prepared.phoneConfirmedAt === null && prepared.emailConfirmedAt === null
  if (isPrepared) await emptyAccount(sql, prepared.id, { kind: 'phone' }, deps.now())
  const user = isPrepared ? await getUserRow(sql, prepared.id) : prepared
  const providers = user.identities.map((identity) => identity.provider)
  const change = {
    phoneConfirmedAt: deps.now(),
    isAnonymous: false,
    appMetadata: withProviders(user.appMetadata, providers),
  }
  await updateUser(sql, user.id, change, deps.now())
  await clearOneTimeTokens(sql, user.id)
}
