import type { Call } from '../model/call.ts'
import type { Contact } from '../model/contact.ts'
import type { OfSignUp } from '../model/one-time-token.ts'
import type { UserRow } from '../model/user.ts'
import type { AuditAction } from '../store/audit.ts'
import type { Sending } from './codes.ts'
import type { CodesDeps } from './deps.ts'
import { sendMessage } from './send-message.ts'
import { prepareMail } from './send-token.ts'

/**
 * Sends the code that confirms a contact; answers the message's id, empty for a mail.
 *
 * @param ofSignUp whether the account's password was chosen by the caller; else confirming the contact removes it
 */
export const sendConfirmation = (
  deps: CodesDeps,
  sending: Sending,
  user: UserRow,
  contact: Contact,
  call: Pick<Call, 'context' | 'redirectTo'>,
  ofSignUp: OfSignUp,
): Promise<string> =>
  sendCode(deps, sending, user, contact, call, 'confirmation', 'user_confirmation_requested', ofSignUp)

/** Sends the code that signs a confirmed user in; answers the message's id, empty for a mail. */
export const sendSignIn = (
  deps: CodesDeps,
  sending: Sending,
  user: UserRow,
  contact: Contact,
  call: Pick<Call, 'context' | 'redirectTo'>,
): Promise<string> => sendCode(deps, sending, user, contact, call, 'magic_link', 'user_recovery_requested', false)

async function sendCode(
  deps: CodesDeps,
  { sql, post }: Sending,
  user: UserRow,
  contact: Contact,
  call: Pick<Call, 'context' | 'redirectTo'>,
  kind: 'confirmation' | 'magic_link',
  action: AuditAction,
  ofSignUp: OfSignUp,
): Promise<string> {
  await deps.audit(sql, user, [action], { provider: contact.kind })
  if (contact.kind === 'email') {
    post(await prepareMail(deps, sql, user, kind, call, contact.challenge, ofSignUp))
    return ''
  }
  // Both kinds of a phone's code share one column.
  const to = { phone: contact.address, channel: contact.channel }
  return sendMessage(deps, sql, user, 'confirmation', to, ofSignUp)
}

/**
 * Throws what would be thrown later, before a transaction is begun for it: as fast as for an address without an account.
 *
 * @throws over_email_send_rate_limit, over_sms_send_rate_limit
 */
export function checkSending(
  {
    mailCooldown,
    smsCooldown,
    quotas,
    settings,
  }: Pick<CodesDeps, 'mailCooldown' | 'smsCooldown' | 'quotas' | 'settings'>,
  kind: Contact['kind'],
  sentAt: Date | null,
): void {
  if (kind === 'email') {
    mailCooldown.check(sentAt)
    if (settings.emailEnableConfirmations) quotas.mail.check()
  } else {
    smsCooldown.check(sentAt)
    if (settings.smsEnableConfirmations) quotas.sms.check()
  }
}

/** Throws as sending a code would, and sends none: for addresses without an account, or whose user gets none. */
export function pretendToSend(
  {
    mailCooldown,
    smsCooldown,
    quotas,
    settings,
  }: Pick<CodesDeps, 'mailCooldown' | 'smsCooldown' | 'quotas' | 'settings'>,
  { kind, address }: Pick<Contact, 'kind' | 'address'>,
  purpose: string,
): void {
  if (kind === 'email') {
    mailCooldown.pretend(purpose, address)
    if (settings.emailEnableConfirmations) quotas.mail.check()
  } else {
    smsCooldown.pretend(purpose, address)
    if (settings.smsEnableConfirmations) quotas.sms.check()
  }
}
