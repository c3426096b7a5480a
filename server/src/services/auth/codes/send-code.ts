import type { Sql } from '../../../engines/postgres/index.ts'
import type { Call, Parts } from '../deps.ts'
import type { Post } from '../mails/outbox.ts'
import { type AuditAction, insertAudit } from '../store/audit.ts'
import type { OfSignUp } from '../store/one-time-tokens.ts'
import type { UserRow } from '../store/users.ts'
import type { Contact } from '../users/contact.ts'
import { sendMessage } from './send-message.ts'
import { prepareMail } from './send-token.ts'

/** A transaction that sends (`changeAndSend`). */
export interface Sending {
  readonly sql: Sql
  readonly post: Post
}

/**
 * Sends the code that confirms a contact; answers the message's id, empty for a mail.
 *
 * @param ofSignUp whether the account's password was chosen by whoever asks; else confirming the contact removes it
 */
export const sendConfirmation = (
  parts: Parts,
  sending: Sending,
  user: UserRow,
  contact: Contact,
  call: Pick<Call, 'work' | 'redirectTo'>,
  ofSignUp: OfSignUp,
): Promise<string> =>
  sendCode(parts, sending, user, contact, call, 'confirmation', 'user_confirmation_requested', ofSignUp)

/** Sends the code that signs a confirmed user in; answers the message's id, empty for a mail. */
export const sendSignIn = (
  parts: Parts,
  sending: Sending,
  user: UserRow,
  contact: Contact,
  call: Pick<Call, 'work' | 'redirectTo'>,
): Promise<string> => sendCode(parts, sending, user, contact, call, 'magic_link', 'user_recovery_requested', false)

async function sendCode(
  parts: Parts,
  { sql, post }: Sending,
  user: UserRow,
  contact: Contact,
  call: Pick<Call, 'work' | 'redirectTo'>,
  kind: 'confirmation' | 'magic_link',
  action: AuditAction,
  ofSignUp: OfSignUp,
): Promise<string> {
  const audited = { newId: parts.newId, now: parts.now(), work: call.work }
  await insertAudit(sql, user, [action], audited, { provider: contact.kind })
  if (contact.kind === 'email') {
    post(await prepareMail(parts, sql, user, kind, call, contact.challenge, ofSignUp))
    return ''
  }
  // Both kinds of a phone's code share one column.
  const to = { phone: contact.address, channel: contact.channel }
  return sendMessage(parts, sql, user, 'confirmation', to, call, ofSignUp)
}

/**
 * Refuses what would be refused later, before a transaction is begun for it: as fast as for an address that is nobody's.
 *
 * @throws over_email_send_rate_limit, over_sms_send_rate_limit
 */
export function checkSending(
  { frequency, smsFrequency, budgets, settings }: Pick<Parts, 'frequency' | 'smsFrequency' | 'budgets' | 'settings'>,
  kind: Contact['kind'],
  sentAt: Date | null,
): void {
  if (kind === 'email') {
    frequency.check(sentAt)
    if (settings.emailEnableConfirmations) budgets.mail.check()
  } else {
    smsFrequency.check(sentAt)
    if (settings.smsEnableConfirmations) budgets.sms.check()
  }
}

/** Refuses as sending a code would, and sends none: for addresses that are nobody's, or whose user gets none. */
export function pretendToSend(
  { frequency, smsFrequency, budgets, settings }: Pick<Parts, 'frequency' | 'smsFrequency' | 'budgets' | 'settings'>,
  { kind, address }: Pick<Contact, 'kind' | 'address'>,
  what: string,
): void {
  if (kind === 'email') {
    frequency.pretend(what, address)
    if (settings.emailEnableConfirmations) budgets.mail.check()
  } else {
    smsFrequency.pretend(what, address)
    if (settings.smsEnableConfirmations) budgets.sms.check()
  }
}
