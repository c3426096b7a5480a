import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { type Body, readText } from '../parse/body.ts'
import { type CodeChallenge, parseChallenge } from '../parse/challenge.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { parsePhone } from '../parse/phone.ts'
import { insertAudit } from '../store/audit.ts'
import { findUserByEmail, findUserByPhone, type UserRow } from '../store/users.ts'
import { prepareEmailChange } from './email-change.ts'
import { mailToUser } from './passwordless.ts'
import { checkSending, pretendToSend } from './send-code.ts'
import { sendMessage, sentReply } from './send-message.ts'

type ResendType = 'signup' | 'email_change' | 'sms' | 'phone_change'

/** `POST /resend` (auth §9): the code of a sign-up or of a change of address once more. */
export async function resend(parts: Parts, call: Call): Promise<Reply> {
  const type = parseResendType(call.body)
  return type === 'signup' || type === 'email_change' ? resendMail(parts, call, type) : resendMessage(parts, call, type)
}

function parseResendType(body: Body): ResendType {
  const type = readText(body, 'type')
  if (type !== 'signup' && type !== 'email_change' && type !== 'sms' && type !== 'phone_change')
    throw authError('validation_failed', {
      message: 'Missing one of these types: signup, email_change, sms, phone_change',
    })
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  const byMail = type === 'signup' || type === 'email_change'
  if (address !== '' && phone !== '')
    throw authError('validation_failed', { message: 'Only an email address or phone number should be provided.' })
  if ((byMail ? address : phone) === '')
    throw authError('validation_failed', {
      message: `Type provided requires ${byMail ? 'an email address' : 'a phone number'}`,
    })
  return type
}

async function resendMail(parts: Parts, call: Call, type: 'signup' | 'email_change'): Promise<Reply> {
  if (!parts.settings.emailEnableSignup) throw authError('email_provider_disabled')
  const challenge = parseChallenge(call.body)
  const email = parseMailAddress(readText(call.body, 'email'), parts.settings)
  const user = await findUserByEmail(parts.database.sql, email, call.work)
  const pace = `resend ${type}`
  const isWaiting = type === 'signup' ? user?.emailConfirmedAt === null : Boolean(user?.newEmail)
  if (user === undefined || !isWaiting)
    return parts.pace.part(pace, async () => {
      pretendToSend(parts, { kind: 'email', address: email }, type)
      return sentReply('')
    })
  return parts.pace.whole(pace, () =>
    type === 'signup'
      ? mailToUser(parts, call, user, 'confirmation', challenge, 'user_confirmation_requested')
      : resendEmailChange(parts, call, user, challenge),
  )
}

async function resendEmailChange(
  parts: Parts,
  call: Call,
  user: UserRow,
  challenge: CodeChallenge | null,
): Promise<Reply> {
  checkSending(parts, 'email', user.emailChangeSentAt)
  await parts.outbox.changeAndSend(call.work, async (sql, post) =>
    post(await prepareEmailChange(parts, sql, user, user.newEmail ?? '', call, challenge)),
  )
  return sentReply('')
}

/** Of a change by the current number, as with mails. */
async function resendMessage(parts: Parts, call: Call, type: 'sms' | 'phone_change'): Promise<Reply> {
  if (!parts.settings.smsEnableSignup) throw authError('phone_provider_disabled')
  const phone = parsePhone(readText(call.body, 'phone'))
  const user = await findUserByPhone(parts.database.sql, phone, call.work)
  const to = type === 'sms' ? (user?.phoneConfirmedAt === null ? phone : null) : user?.newPhone
  const pace = `resend ${type}`
  // No limit is pretended to as with mails: the id of a message that went out tells of the account anyway.
  if (user === undefined || !to) return parts.pace.part(pace, async () => sentReply(''))
  checkSending(parts, 'phone', type === 'sms' ? user.confirmationSentAt : user.phoneChangeSentAt)
  return parts.pace.whole(pace, () =>
    parts.outbox.changeAndSend(call.work, async (sql) => {
      const audited = { newId: parts.newId, now: parts.now(), work: call.work }
      if (type === 'sms') await insertAudit(sql, user, ['user_recovery_requested'], audited)
      const kind = type === 'sms' ? 'confirmation' : 'phone_change'
      return sentReply(await sendMessage(parts, sql, user, kind, { phone: to, channel: 'sms' }, call))
    }),
  )
}
