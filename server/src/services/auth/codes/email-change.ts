import type { Letter, LetterSide } from '../mails/letter.ts'
import type { Call } from '../model/call.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { withProviders } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { clearOneTimeTokens, insertFlow, putOneTimeToken, type TakenToken } from '../store/one-time-tokens.ts'
import { duplicateOf, insertIdentity, updateIdentity, updateUser } from '../store/users.ts'
import type { CodesDeps } from './deps.ts'
import { createCode, pkcePrefix } from './one-time-tokens.ts'
import { flowMethods } from './send-token.ts'

/**
 * Stores the new address as pending and makes the letter that confirms it: to the new address and, where both must agree,
 * to the current address, each with a code of its own (auth §11). Runs inside the caller's transaction, which posts it.
 *
 * @throws over_email_send_rate_limit
 */
export async function prepareEmailChange(
  deps: CodesDeps,
  sql: RequestSql,
  user: UserRow,
  newEmail: string,
  call: Pick<Call, 'context' | 'redirectTo'>,
  challenge: CodeChallenge | null,
): Promise<Letter> {
  const { settings, newId } = deps
  const now = deps.now()
  deps.mailCooldown.check(user.emailChangeSentAt)
  if (settings.emailEnableConfirmations) deps.quotas.mail.spend()
  const prefix = challenge === null ? '' : pkcePrefix
  const sideFor = (to: string): LetterSide => {
    const token = createCode(settings.emailOtpLength)
    return { to, token, tokenHash: `${prefix}${deps.hashCode(to, token)}` }
  }
  const storeSide = (
    { to, tokenHash }: LetterSide,
    tokenKind: 'email_change_token_new' | 'email_change_token_current',
  ) => putOneTimeToken(sql, { id: newId(), userId: user.id, kind: tokenKind, hash: tokenHash, address: to }, now)
  const sideNew = sideFor(newEmail)
  const sidesCurrent = settings.emailDoubleConfirmChanges && user.email ? [sideFor(user.email)] : []
  await storeSide(sideNew, 'email_change_token_new')
  for (const side of sidesCurrent) await storeSide(side, 'email_change_token_current')
  await updateUser(
    sql,
    user.id,
    {
      newEmail,
      emailChangeSentAt: now,
      emailChangeStatus: 0,
      emailChangeTokenNew: sideNew.tokenHash,
      emailChangeTokenCurrent: sidesCurrent[0]?.tokenHash ?? '',
    },
    now,
  )
  if (challenge !== null) {
    const flow = { id: newId(), userId: user.id, code: newId(), challenge, method: flowMethods.email_change }
    await insertFlow(sql, flow, now)
  }
  return {
    kind: 'email_change',
    user: { ...user, newEmail },
    newEmail,
    redirectTo: call.redirectTo,
    sides: [sideNew, ...sidesCurrent],
  }
}

/** Whether one more confirmation is needed before the address changes. */
export const isFirstOfTwo = (deps: Pick<CodesDeps, 'settings'>, user: UserRow): boolean =>
  deps.settings.emailDoubleConfirmChanges && Boolean(user.email) && user.emailChangeStatus === 0

/** Notes the first of two confirmations: its own token is worthless from now on, the other one's is not. */
export async function noteFirstConfirmation(
  deps: Pick<CodesDeps, 'now'>,
  sql: RequestSql,
  user: UserRow,
  taken: TakenToken,
): Promise<void> {
  const used = taken.kind === 'email_change_token_new' ? { emailChangeTokenNew: '' } : { emailChangeTokenCurrent: '' }
  await updateUser(sql, user.id, { ...used, emailChangeStatus: 1 }, deps.now())
}

/**
 * Gives a user the address that was pending, or a first one. An anonymous user becomes a lasting one.
 *
 * @throws email_exists when another user took it meanwhile
 */
export async function applyEmail(
  deps: Pick<CodesDeps, 'now' | 'newId'>,
  sql: RequestSql,
  user: UserRow,
  email: string,
): Promise<void> {
  const now = deps.now()
  const providers = user.identities.map((identity) => identity.provider)
  const hadIdentity = providers.includes('email')
  const change = {
    email,
    newEmail: '',
    emailChangeStatus: 0,
    emailConfirmedAt: user.emailConfirmedAt ?? now,
    isAnonymous: false,
    userMetadata: { ...user.userMetadata, email, email_verified: true },
    appMetadata: withProviders(user.appMetadata, hadIdentity ? providers : [...providers, 'email']),
  }
  try {
    await updateUser(sql, user.id, change, now)
  } catch (cause) {
    throw duplicateOf(cause) === 'email' ? authError('email_exists', { cause }) : cause
  }
  const data = { sub: user.id, email, email_verified: true }
  if (hadIdentity) await updateIdentity(sql, user.id, 'email', data, now)
  else {
    const identity = { id: deps.newId(), userId: user.id, provider: 'email', data: { ...data, phone_verified: false } }
    await insertIdentity(sql, identity, now)
  }
  await clearOneTimeTokens(sql, user.id)
}
