import type { Call, Parts, Reply } from './deps.ts'
import { prepareEmailChange } from './email-change.ts'
import { authError } from './errors.ts'
import { parseEmail } from './parse/address.ts'
import { readFlag, readObject, readText } from './parse/body.ts'
import { type CodeChallenge, parseChallenge } from './parse/challenge.ts'
import { prepareMail } from './send-token.ts'
import { createEmailUser, isDuplicate } from './signup.ts'
import { type AuditAction, insertAudit } from './store/audit.ts'
import { findUserByEmail, type UserRow } from './store/users.ts'

const done: Reply = { status: 200, body: {} }

/** `POST /otp` (contract §9): a code and a link by mail, for a user who may be new. */
export async function sendOtp(parts: Parts, call: Call): Promise<Reply> {
  const { body } = call
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  if (address !== '' && phone !== '')
    throw authError('validation_failed', { message: 'Only an email address or phone number should be provided' })
  if (address === '' && phone === '')
    throw authError('validation_failed', { message: 'One of email or phone must be set' })
  if (phone !== '') throw authError('phone_provider_disabled')
  if (readText(body, 'channel') !== '')
    throw authError('validation_failed', { message: 'Channel should only be specified with Phone OTP' })
  return magicLink(parts, call, address, readFlag(body, 'create_user', true))
}

/** `POST /magiclink` (contract §9). */
export async function sendMagicLink(parts: Parts, call: Call): Promise<Reply> {
  const address = readText(call.body, 'email')
  if (address === '') throw authError('validation_failed/422', { message: 'Password recovery requires an email' })
  return magicLink(parts, call, address, true)
}

async function magicLink(parts: Parts, call: Call, address: string, createUser: boolean): Promise<Reply> {
  const { settings } = parts
  const challenge = parseChallenge(call.body)
  const data = readObject(call.body, 'data') ?? {}
  if (!settings.emailEnableSignup) throw authError('email_provider_disabled/422')
  const email = parseEmail(address)
  const existing = await findUserByEmail(parts.database.sql, email, call.work)
  if (existing !== undefined) return mailToUser(parts, call, existing, challenge)
  if (!createUser) throw authError('otp_disabled')
  if (!settings.enableSignup) throw authError('signup_disabled')

  const confirmed = !settings.emailEnableConfirmations
  try {
    const mail = await parts.database.change(call.work, async (sql) => {
      const user = await createEmailUser(parts, sql, { email, passwordHash: '', data, confirmed }, call)
      const audited = { newId: parts.newId, now: parts.now(), work: call.work }
      await insertAudit(sql, user, confirmed ? ['user_signedup'] : ['user_confirmation_requested'], audited)
      return prepareMail(parts, sql, user, confirmed ? 'magic_link' : 'confirmation', call, challenge)
    })
    await mail.send()
    return done
  } catch (error) {
    // Asked twice at the same moment: the other call made the user.
    const winner = isDuplicate(error) ? await findUserByEmail(parts.database.sql, email, call.work) : undefined
    if (winner === undefined) throw error
    return mailToUser(parts, call, winner, challenge)
  }
}

/** An unconfirmed user gets the confirmation: its code is accepted by the same form (contract §34.8). */
function mailToUser(parts: Parts, call: Call, user: UserRow, challenge: CodeChallenge | null): Promise<Reply> {
  return user.emailConfirmedAt === null
    ? sendMail(parts, call, user, 'confirmation', challenge, 'user_confirmation_requested')
    : sendMail(parts, call, user, 'magic_link', challenge, 'user_recovery_requested')
}

/** `POST /recover` (contract §9): the same answer whether there is such a user or not. */
export async function recover(parts: Parts, call: Call): Promise<Reply> {
  const address = readText(call.body, 'email')
  if (address === '') throw authError('validation_failed', { message: 'Password recovery requires an email' })
  if (!parts.settings.emailEnableSignup) throw authError('email_provider_disabled')
  const challenge = parseChallenge(call.body)
  const email = parseEmail(address)
  const user = await findUserByEmail(parts.database.sql, email, call.work)
  if (user === undefined) {
    parts.frequency.pretend('recovery', email)
    return done
  }
  return sendMail(parts, call, user, 'recovery', challenge, 'user_recovery_requested')
}

/** `POST /resend` (contract §9) of a sign-up's confirmation, or of a change of address by the current one. */
export async function resend(parts: Parts, call: Call): Promise<Reply> {
  const { body } = call
  const type = readText(body, 'type')
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type))
    throw authError('validation_failed', {
      message: type === '' ? 'Missing one of these types: signup, email_change, sms, phone_change' : 'Unsupported type',
    })
  if ((address === '') === (phone === ''))
    throw authError('validation_failed', { message: 'Type provided requires an email address or a phone number' })
  const byMail = type === 'signup' || type === 'email_change'
  if (byMail !== (address !== ''))
    throw authError('validation_failed', { message: `Type ${type} requires ${byMail ? 'an email' : 'a phone'}` })
  if (!byMail) throw authError('phone_provider_disabled')
  if (!parts.settings.emailEnableSignup) throw authError('email_provider_disabled')
  const challenge = parseChallenge(body)
  const email = parseEmail(address)
  const user = await findUserByEmail(parts.database.sql, email, call.work)
  if (type === 'email_change' && user?.newEmail) return resendEmailChange(parts, call, user, user.newEmail, challenge)
  if (type === 'email_change' || user === undefined || user.emailConfirmedAt !== null) {
    parts.frequency.pretend(type, email)
    return done
  }
  return sendMail(parts, call, user, 'confirmation', challenge, 'user_confirmation_requested')
}

async function resendEmailChange(
  parts: Parts,
  call: Call,
  user: UserRow,
  newEmail: string,
  challenge: CodeChallenge | null,
): Promise<Reply> {
  const mail = await parts.database.change(call.work, (sql) =>
    prepareEmailChange(parts, sql, user, newEmail, call, challenge),
  )
  await mail.send()
  return done
}

async function sendMail(
  parts: Parts,
  call: Call,
  user: UserRow,
  kind: Parameters<typeof prepareMail>[3],
  challenge: CodeChallenge | null,
  action: AuditAction,
): Promise<Reply> {
  const mail = await parts.database.change(call.work, async (sql) => {
    const prepared = await prepareMail(parts, sql, user, kind, call, challenge)
    await insertAudit(sql, user, [action], { newId: parts.newId, now: parts.now(), work: call.work })
    return prepared
  })
  await mail.send()
  return done
}
