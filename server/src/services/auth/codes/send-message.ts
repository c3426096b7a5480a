import type { AuthResponse } from '../model/call.ts'
import type { OfSignUp, TokenKind } from '../model/one-time-token.ts'
import type { UserRow } from '../model/user.ts'
import { renderUser } from '../render/user.ts'
import type { RequestSql } from '../store/database.ts'
import { putOneTimeToken } from '../store/one-time-tokens.ts'
import { type UserChange, updateUser } from '../store/users.ts'
import type { MessageKind, Recipient } from './codes.ts'
import type { CodesDeps } from './deps.ts'
import { createCode } from './one-time-tokens.ts'

interface Columns {
  readonly tokenKind: TokenKind
  readonly hookType: string
  readonly sentAt: (user: UserRow) => Date | null
  readonly change: (hash: string, phone: string, now: Date) => UserChange
}

const columns: Readonly<Record<MessageKind, Columns>> = {
  confirmation: {
    tokenKind: 'confirmation_token',
    hookType: 'sms',
    sentAt: (user) => user.confirmationSentAt,
    change: (hash, _phone, now) => ({ confirmationToken: hash, confirmationSentAt: now }),
  },
  phone_change: {
    tokenKind: 'phone_change_token',
    hookType: 'phone_change',
    sentAt: (user) => user.phoneChangeSentAt,
    change: (hash, phone, now) => ({ newPhone: phone, phoneChangeToken: hash, phoneChangeSentAt: now }),
  },
  reauthentication: {
    tokenKind: 'reauthentication_token',
    hookType: 'reauthentication',
    sentAt: (user) => user.reauthenticationSentAt,
    change: (hash, _phone, now) => ({ reauthenticationToken: hash, reauthenticationSentAt: now }),
  },
}

/**
 * Makes a new code for a phone number and sends it; an earlier code of the kind is worthless from then on. Runs as the
 * last step of the caller's transaction (`changeAndSend`): where the message is not taken, the transaction is rolled back.
 *
 * @param ofSignUp whether the account's password was chosen by the caller; else confirming the number removes it
 * @returns the message's id; empty when the provider gives none
 * @throws  over_sms_send_rate_limit, sms_send_failed
 */
export async function sendMessage(
  deps: CodesDeps,
  sql: RequestSql,
  user: UserRow,
  kind: MessageKind,
  to: Recipient,
  ofSignUp: OfSignUp = true,
): Promise<string> {
  const { settings } = deps
  const now = deps.now()
  const { tokenKind, hookType, sentAt, change } = columns[kind]
  deps.smsCooldown.check(sentAt(user))
  const testCode = deps.testCodes.find(to.phone)
  if (testCode === undefined && settings.smsEnableConfirmations) deps.quotas.sms.spend()
  const otp = testCode ?? createCode(settings.smsOtpLength)
  const hash = deps.hashCode(to.phone, otp)
  await putOneTimeToken(
    sql,
    { id: deps.newId(), userId: user.id, kind: tokenKind, hash, address: to.phone, ofSignUp },
    now,
  )
  await updateUser(sql, user.id, change(hash, to.phone, now), now)
  if (testCode !== undefined) return 'test-otp'
  if (deps.hooks.sendSms !== null) {
    await deps.hooks.sendSms(
      renderUser(user),
      { otp, phone: to.phone, sms_type: hookType },
      { sql, context: sql.context },
    )
    return ''
  }
  const message = settings.smsTemplate.replaceAll(/\{\{\s*\.Code\s*\}\}/g, otp)
  return (await deps.sendSms({ ...to, message, userId: user.id, otp })).messageId
}

/** The reply to a call that sent a code; empty for one that was sent by mail. */
export const sentReply = (messageId: string): AuthResponse => ({
  status: 200,
  body: messageId === '' ? {} : { message_id: messageId },
})
