import type { AuthResponse, Body, Call } from '../model/call.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { readText } from '../parse/body.ts'
import { parseChallenge } from '../parse/challenge.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { parsePhone } from '../parse/phone.ts'
import { findUserByEmail, findUserByPhone } from '../store/users.ts'
import type { CodesDeps } from './deps.ts'
import { prepareEmailChange } from './email-change.ts'
import { mailToUser } from './mail-to-user.ts'
import { checkSending, pretendToSend } from './send-code.ts'
import { sendMessage, sentReply } from './send-message.ts'

type ResendType = 'signup' | 'email_change' | 'sms' | 'phone_change'

/** `POST /resend` (auth §9): the code of a sign-up or of a change of address once more. */
export async function resend(deps: CodesDeps, call: Call): Promise<AuthResponse> {
  const type = parseResendType(call.body)
  return type === 'signup' || type === 'email_change' ? resendMail(deps, call, type) : resendMessage(deps, call, type)
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

async function resendMail(deps: CodesDeps, call: Call, type: 'signup' | 'email_change'): Promise<AuthResponse> {
  if (!deps.settings.emailEnableSignup) throw authError('email_provider_disabled')
  const challenge = parseChallenge(call.body)
  const email = parseMailAddress(readText(call.body, 'email'), deps.settings)
  const user = await findUserByEmail(deps.database.for(call.context), email)
  const timingKind = `resend ${type}`
  const isWaiting = type === 'signup' ? user?.emailConfirmedAt === null : Boolean(user?.newEmail)
  if (user === undefined || !isWaiting)
    return deps.timing.equalize(timingKind, async () => {
      pretendToSend(deps, { kind: 'email', address: email }, type)
      return sentReply('')
    })
  return deps.timing.measure(timingKind, () =>
    type === 'signup'
      ? mailToUser(deps, call, user, 'confirmation', challenge, 'user_confirmation_requested')
      : resendEmailChange(deps, call, user, challenge),
  )
}

async function resendEmailChange(
  deps: CodesDeps,
  call: Call,
  user: UserRow,
  challenge: CodeChallenge | null,
): Promise<AuthResponse> {
  checkSending(deps, 'email', user.emailChangeSentAt)
  await deps.outbox.changeAndSend(call.context, async (sql, post) =>
    post(await prepareEmailChange(deps, sql, user, user.newEmail ?? '', call, challenge)),
  )
  return sentReply('')
}

/** Of a change by the current number, as with mails. */
async function resendMessage(deps: CodesDeps, call: Call, type: 'sms' | 'phone_change'): Promise<AuthResponse> {
  if (!deps.settings.smsEnableSignup) throw authError('phone_provider_disabled')
  const phone = parsePhone(readText(call.body, 'phone'))
  const user = await findUserByPhone(deps.database.for(call.context), phone)
  const to = type === 'sms' ? (user?.phoneConfirmedAt === null ? phone : null) : user?.newPhone
  const timingKind = `resend ${type}`
  // No limit is pretended to as with mails: the id of a message that went out tells of the account anyway.
  if (user === undefined || !to) return deps.timing.equalize(timingKind, async () => sentReply(''))
  checkSending(deps, 'phone', type === 'sms' ? user.confirmationSentAt : user.phoneChangeSentAt)
  return deps.timing.measure(timingKind, () =>
    deps.outbox.changeAndSend(call.context, async (sql) => {
      if (type === 'sms') await deps.audit(sql, user, ['user_recovery_requested'])
      const kind = type === 'sms' ? 'confirmation' : 'phone_change'
      return sentReply(await sendMessage(deps, sql, user, kind, { phone: to, channel: 'sms' }))
    }),
  )
}
