import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { type Body, readFlag, readObject, readText } from '../parse/body.ts'
import { type CodeChallenge, parseChallenge } from '../parse/challenge.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { parseChannel, parsePhone } from '../parse/phone.ts'
import { type AuditAction, insertAudit } from '../store/audit.ts'
import { findUserByEmail, type UserRow } from '../store/users.ts'
import { addressOf, type Contact, findByContact, isConfirmed, mustConfirm } from '../users/contact.ts'
import { createContactUser, duplicateOf } from '../users/contact-user.ts'
import { checkSending, pretendToSend, sendConfirmation, sendSignIn } from './send-code.ts'
import { sentReply } from './send-message.ts'
import { prepareMail } from './send-token.ts'

const done: Reply = { status: 200, body: {} }

/** `POST /otp` (auth §9): a code and a link by mail, or a code by message, for a user who may be new. */
export async function sendOtp(parts: Parts, call: Call): Promise<Reply> {
  const { body } = call
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  if (address !== '' && phone !== '')
    throw authError('validation_failed', { message: 'Only an email address or phone number should be provided' })
  if (address === '' && phone === '')
    throw authError('validation_failed', { message: 'One of email or phone must be set' })
  const createsUser = readFlag(body, 'create_user', true)
  if (phone !== '') {
    if (!parts.settings.smsEnableSignup)
      throw authError('phone_provider_disabled', { message: 'Unsupported phone provider' })
    const contact: Contact = { kind: 'phone', address: parsePhone(phone), channel: parseChannel(body, parts.settings) }
    return oneTimeCode(parts, call, contact, createsUser)
  }
  if (readText(body, 'channel') !== '')
    throw authError('validation_failed', { message: 'Channel should only be specified with Phone OTP' })
  return oneTimeCode(parts, call, parseMailContact(parts, body, address), createsUser)
}

/** `POST /magiclink` (auth §9). */
export async function sendMagicLink(parts: Parts, call: Call): Promise<Reply> {
  const address = readText(call.body, 'email')
  if (address === '') throw authError('validation_failed/422', { message: 'Password recovery requires an email' })
  return oneTimeCode(parts, call, parseMailContact(parts, call.body, address), true)
}

function parseMailContact(parts: Parts, body: Body, address: string): Contact {
  const challenge = parseChallenge(body)
  const { settings } = parts
  if (!settings.emailEnableSignup || !settings.emailEnableMagicLink) throw authError('email_provider_disabled/422')
  return { kind: 'email', address: parseMailAddress(address, settings), challenge }
}

async function oneTimeCode(parts: Parts, call: Call, contact: Contact, createsUser: boolean): Promise<Reply> {
  const data = readObject(call.body, 'data') ?? {}
  const kind = `otp ${contact.kind}`
  const existing = await findByContact(parts, contact, call)
  if (!createsUser) {
    const known = `${kind} known`
    if (existing !== undefined) return parts.pace.whole(known, () => sendToUser(parts, call, existing, contact))
    await parts.pace.part(known, async () => undefined)
    throw authError('otp_disabled')
  }
  // Longer for a new user than for a known one: both take as long as the new one.
  if (existing !== undefined) return parts.pace.part(kind, () => sendToUser(parts, call, existing, contact))
  if (!parts.settings.enableSignup) throw authError('signup_disabled')
  try {
    return await parts.pace.whole(kind, () => sendToNewcomer(parts, call, contact, data))
  } catch (error) {
    // Asked twice at the same moment: the other call made the user.
    const winner = duplicateOf(error) === null ? undefined : await findByContact(parts, contact, call)
    if (winner === undefined) throw error
    return sendToUser(parts, call, winner, contact)
  }
}

async function sendToNewcomer(parts: Parts, call: Call, contact: Contact, data: Body): Promise<Reply> {
  const confirmed = !mustConfirm(contact, parts.settings)
  return parts.outbox.changeAndSend(call.work, async (sql, post) => {
    const newcomer = { ...addressOf(contact), passwordHash: '', data, confirmed }
    const user = await createContactUser(parts, sql, newcomer, call)
    if (!confirmed) return sentReply(await sendConfirmation(parts, { sql, post }, user, contact, call, false))
    const audited = { newId: parts.newId, now: parts.now(), work: call.work }
    await insertAudit(sql, user, ['user_signedup'], audited, { provider: contact.kind })
    return sentReply(await sendSignIn(parts, { sql, post }, user, contact, call))
  })
}

/** An unconfirmed user gets the confirmation: its code is accepted by the same form (auth §34.8). */
async function sendToUser(parts: Parts, call: Call, user: UserRow, contact: Contact): Promise<Reply> {
  const isMagicLink = contact.kind === 'email' && isConfirmed(user, contact)
  checkSending(parts, contact.kind, isMagicLink ? user.recoverySentAt : user.confirmationSentAt)
  const send = isConfirmed(user, contact) ? sendSignIn : sendConfirmation
  return parts.outbox.changeAndSend(call.work, async (sql, post) =>
    sentReply(await send(parts, { sql, post }, user, contact, call, false)),
  )
}

/** `POST /recover` (auth §9): the same answer, as late, whether there is such a user or not. */
export async function recover(parts: Parts, call: Call): Promise<Reply> {
  const address = readText(call.body, 'email')
  if (address === '') throw authError('validation_failed', { message: 'Password recovery requires an email' })
  if (!parts.settings.emailEnableSignup) throw authError('email_provider_disabled')
  const challenge = parseChallenge(call.body)
  const email = parseMailAddress(address, parts.settings)
  const user = await findUserByEmail(parts.database.sql, email, call.work)
  if (user === undefined)
    return parts.pace.part('recover', async () => {
      pretendToSend(parts, { kind: 'email', address: email }, 'recovery')
      return done
    })
  return parts.pace.whole('recover', () =>
    mailToUser(parts, call, user, 'recovery', challenge, 'user_recovery_requested'),
  )
}

/** Sends a known user a mail. */
export async function mailToUser(
  parts: Parts,
  call: Call,
  user: UserRow,
  kind: 'confirmation' | 'magic_link' | 'recovery',
  challenge: CodeChallenge | null,
  action: AuditAction,
): Promise<Reply> {
  checkSending(parts, 'email', kind === 'confirmation' ? user.confirmationSentAt : user.recoverySentAt)
  await parts.outbox.changeAndSend(call.work, async (sql, post) => {
    post(await prepareMail(parts, sql, user, kind, call, challenge))
    await insertAudit(sql, user, [action], { newId: parts.newId, now: parts.now(), work: call.work })
  })
  return done
}
