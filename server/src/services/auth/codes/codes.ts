import type { CodeMailKind } from '../mails/kinds.ts'
import type { Letter } from '../mails/letter.ts'
import type { Post } from '../mails/outbox.ts'
import type { Call, RequestContext } from '../model/call.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import type { Contact } from '../model/contact.ts'
import type { OfSignUp } from '../model/one-time-token.ts'
import type { SmsChannel } from '../model/sms.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'

/** A transaction that sends (`changeAndSend`). */
export interface Sending {
  readonly sql: RequestSql
  readonly post: Post
}

/** The purpose of a code sent to a phone. */
export type MessageKind = 'confirmation' | 'phone_change' | 'reauthentication'

/** Where a message goes. */
export interface Recipient {
  readonly phone: string
  readonly channel: SmsChannel
}

/** Codes and links that are sent: what other features ask of this one. */
export interface Codes {
  /**
   * Sends the code that confirms a contact.
   *
   * @param ofSignUp whether the account's password was chosen by the sender; else confirming the contact removes it
   * @returns        the message's id; empty for a mail
   */
  sendConfirmation(
    sending: Sending,
    user: UserRow,
    contact: Contact,
    call: Pick<Call, 'context' | 'redirectTo'>,
    ofSignUp: OfSignUp,
  ): Promise<string>
  /** Sends a new code to a phone number, as the last step of a transaction. @returns the message's id */
  sendMessage(sql: RequestSql, user: UserRow, kind: MessageKind, to: Recipient, ofSignUp?: OfSignUp): Promise<string>
  /** Makes a new code for a user, and the letter that carries it, in the caller's transaction. */
  prepareMail(
    sql: RequestSql,
    user: UserRow,
    kind: Exclude<CodeMailKind, 'email_change' | 'reauthentication'>,
    call: Pick<Call, 'context' | 'redirectTo'>,
    challenge: CodeChallenge | null,
    ofSignUp?: OfSignUp,
  ): Promise<Letter>
  /** @throws over_email_send_rate_limit, over_sms_send_rate_limit */
  checkSending(kind: Contact['kind'], sentAt: Date | null): void
  /** Throws as `checkSending` would, for an address that is sent nothing. */
  pretendToSend(contact: Pick<Contact, 'kind' | 'address'>, purpose: string): void
  /** Stores a new address as pending, and makes the letter that confirms it. */
  prepareEmailChange(
    sql: RequestSql,
    user: UserRow,
    newEmail: string,
    call: Pick<Call, 'context' | 'redirectTo'>,
    challenge: CodeChallenge | null,
  ): Promise<Letter>
  /** @throws email_exists */
  applyEmail(sql: RequestSql, user: UserRow, email: string): Promise<void>
  /** @throws phone_exists */
  applyPhone(sql: RequestSql, user: UserRow, phone: string): Promise<void>
  /** Spends the code of a reauthentication. @throws reauthentication_not_valid */
  checkNonce(user: UserRow, nonce: string, context: RequestContext): Promise<void>
}
