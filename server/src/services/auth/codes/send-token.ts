import type { CodeMailKind } from '../mails/kinds.ts'
import type { Letter } from '../mails/letter.ts'
import type { Call } from '../model/call.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import type { OfSignUp } from '../model/one-time-token.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { insertFlow, putOneTimeToken } from '../store/one-time-tokens.ts'
import { updateUser } from '../store/users.ts'
import type { CodesDeps } from './deps.ts'
import { createCode, createFlowCode, pkcePrefix } from './one-time-tokens.ts'

/**
 * Makes a new code for a user and the letter that carries it; an earlier code of the kind is worthless from then on.
 * Runs inside the caller's transaction, which posts the letter (`changeAndSend`).
 *
 * @param ofSignUp whether the account's password was chosen by the caller; else confirming the address removes it
 * @throws over_email_send_rate_limit
 */
export async function prepareMail(
  deps: CodesDeps,
  sql: RequestSql,
  user: UserRow,
  kind: Exclude<CodeMailKind, 'email_change' | 'reauthentication'>,
  call: Pick<Call, 'context' | 'redirectTo'>,
  challenge: CodeChallenge | null,
  ofSignUp: OfSignUp = kind === 'confirmation',
): Promise<Letter> {
  const { settings, newId } = deps
  const { redirectTo } = call
  const now = deps.now()
  const email = user.email ?? ''
  const isConfirmation = kind === 'confirmation' || kind === 'invite'
  // Magic link and recovery share one token and one timer, as they share one column. Invitations are an administrator's.
  if (kind !== 'invite') deps.mailCooldown.check(isConfirmation ? user.confirmationSentAt : user.recoverySentAt)
  if (settings.emailEnableConfirmations) deps.quotas.mail.spend()

  const token = createCode(settings.emailOtpLength)
  const tokenHash = `${challenge === null ? '' : pkcePrefix}${deps.hashCode(email, token)}`
  const tokenKind = isConfirmation ? 'confirmation_token' : 'recovery_token'
  const record = { id: newId(), userId: user.id, kind: tokenKind, hash: tokenHash, address: email, ofSignUp } as const
  await putOneTimeToken(sql, record, now)
  const sent = isConfirmation
    ? { confirmationToken: tokenHash, confirmationSentAt: now, ...(kind === 'invite' ? { invitedAt: now } : {}) }
    : { recoveryToken: tokenHash, recoverySentAt: now }
  await updateUser(sql, user.id, sent, now)
  if (challenge !== null) {
    const flow = { id: newId(), userId: user.id, code: createFlowCode(), challenge, method: flowMethods[kind] }
    await insertFlow(sql, flow, now)
  }
  return { kind, user, newEmail: '', redirectTo, sides: [{ to: email, token, tokenHash }] }
}

/**
 * Makes the code that a change of password may ask for, and the letter that carries it; there is no link.
 *
 * @throws over_email_send_rate_limit
 */
export async function prepareReauthentication(deps: CodesDeps, sql: RequestSql, user: UserRow): Promise<Letter> {
  const { settings, newId } = deps
  const now = deps.now()
  const email = user.email ?? ''
  deps.mailCooldown.check(user.reauthenticationSentAt)
  if (settings.emailEnableConfirmations) deps.quotas.mail.spend()
  const token = createCode(settings.emailOtpLength)
  const tokenHash = deps.hashCode(email, token)
  const record = {
    id: newId(),
    userId: user.id,
    kind: 'reauthentication_token',
    hash: tokenHash,
    address: email,
  } as const
  await putOneTimeToken(sql, record, now)
  await updateUser(sql, user.id, { reauthenticationToken: tokenHash, reauthenticationSentAt: now }, now)
  return { kind: 'reauthentication', user, newEmail: '', redirectTo: '', sides: [{ to: email, token, tokenHash: '' }] }
}

/** The authentication method of a flow, by its mail. */
export const flowMethods = {
  confirmation: 'email/signup',
  invite: 'invite',
  magic_link: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
} as const satisfies Readonly<Record<Exclude<CodeMailKind, 'reauthentication'>, string>>
