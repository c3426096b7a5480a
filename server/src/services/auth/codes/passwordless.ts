import type { AuthResponse, Body, Call } from '../model/call.ts'
import type { Contact } from '../model/contact.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { readFlag, readObject, readText } from '../parse/body.ts'
import { parseChallenge } from '../parse/challenge.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { parseChannel, parsePhone } from '../parse/phone.ts'
import { duplicateOf, findUserByEmail } from '../store/users.ts'
import { addressOf, findByContact, isConfirmed, mustConfirm } from '../users/contact.ts'
import type { CodesDeps } from './deps.ts'
import { mailToUser } from './mail-to-user.ts'
import { checkSending, pretendToSend, sendConfirmation, sendSignIn } from './send-code.ts'
import { sentReply } from './send-message.ts'

const done: AuthResponse = { status: 200, body: {} }

/** `POST /otp` (auth §9): a code and a link by mail, or a code by message, for a user who may be new. */
export async function sendOtp(deps: CodesDeps, call: Call): Promise<AuthResponse> {
  const { body } = call
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  if (address !== '' && phone !== '')
    throw authError('validation_failed', { message: 'Only an email address or phone number should be provided' })
  if (address === '' && phone === '')
    throw authError('validation_failed', { message: 'One of email or phone must be set' })
  const createsUser = readFlag(body, 'create_user', true)
  if (phone !== '') {
    if (!deps.settings.smsEnableSignup)
      throw authError('phone_provider_disabled', { message: 'Unsupported phone provider' })
    const contact: Contact = { kind: 'phone', address: parsePhone(phone), channel: parseChannel(body, deps.settings) }
    return oneTimeCode(deps, call, contact, createsUser)
  }
  if (readText(body, 'channel') !== '')
    throw authError('validation_failed', { message: 'Channel should only be specified with Phone OTP' })
  return oneTimeCode(deps, call, parseMailContact(deps, body, address), createsUser)
}

/** `POST /magiclink` (auth §9). */
export async function sendMagicLink(deps: CodesDeps, call: Call): Promise<AuthResponse> {
  const address = readText(call.body, 'email')
  if (address === '') throw authError('validation_failed/422', { message: 'Password recovery requires an email' })
  return oneTimeCode(deps, call, parseMailContact(deps, call.body, address), true)
}

function parseMailContact(deps: CodesDeps, body: Body, address: string): Contact {
  const challenge = parseChallenge(body)
  const { settings } = deps
  if (!settings.emailEnableSignup || !settings.emailEnableMagicLink) throw authError('email_provider_disabled/422')
  return { kind: 'email', address: parseMailAddress(address, settings), challenge }
}

async function oneTimeCode(deps: CodesDeps, call: Call, contact: Contact, createsUser: boolean): Promise<AuthResponse> {
  const data = readObject(call.body, 'data') ?? {}
  const kind = `otp ${contact.kind}`
  const existing = await findByContact(deps.database.for(call.context), contact)
  if (!createsUser) {
    const known = `${kind} known`
    if (existing !== undefined) return deps.timing.measure(known, () => sendToUser(deps, call, existing, contact))
    await deps.timing.equalize(known, async () => undefined)
    throw authError('otp_disabled')
  }
  // Longer for a new user than for a known one: both take as long as the new one.
  if (existing !== undefined) return deps.timing.equalize(kind, () => sendToUser(deps, call, existing, contact))
  if (!deps.settings.enableSignup) throw authError('signup_disabled')
  try {
    return await deps.timing.measure(kind, () => sendToNewcomer(deps, call, contact, data))
  } catch (error) {
    // Of two simultaneous calls the other one made the user.
    const winner =
      duplicateOf(error) === null ? undefined : await findByContact(deps.database.for(call.context), contact)
    if (winner === undefined) throw error
    return sendToUser(deps, call, winner, contact)
  }
}

async function sendToNewcomer(deps: CodesDeps, call: Call, contact: Contact, data: Body): Promise<AuthResponse> {
  const confirmed = !mustConfirm(contact, deps.settings)
  return deps.outbox.changeAndSend(call.context, async (sql, post) => {
    const newcomer = { ...addressOf(contact), passwordHash: '', data, confirmed }
    const user = await deps.createContactUser(sql, newcomer)
    if (!confirmed) return sentReply(await sendConfirmation(deps, { sql, post }, user, contact, call, false))
    await deps.audit(sql, user, ['user_signedup'], { provider: contact.kind })
    return sentReply(await sendSignIn(deps, { sql, post }, user, contact, call))
  })
}

/** An unconfirmed user gets the confirmation: its code is accepted by the same form (auth §34.8). */
async function sendToUser(deps: CodesDeps, call: Call, user: UserRow, contact: Contact): Promise<AuthResponse> {
  const isMagicLink = contact.kind === 'email' && isConfirmed(user, contact)
  checkSending(deps, contact.kind, isMagicLink ? user.recoverySentAt : user.confirmationSentAt)
  const send = isConfirmed(user, contact) ? sendSignIn : sendConfirmation
  return deps.outbox.changeAndSend(call.context, async (sql, post) =>
    sentReply(await send(deps, { sql, post }, user, contact, call, false)),
  )
}

/** `POST /recover` (auth §9): the same answer, as late, whether there is such a user or not. */
export async function recover(deps: CodesDeps, call: Call): Promise<AuthResponse> {
  const address = readText(call.body, 'email')
  if (address === '') throw authError('validation_failed', { message: 'Password recovery requires an email' })
  if (!deps.settings.emailEnableSignup) throw authError('email_provider_disabled')
  const challenge = parseChallenge(call.body)
  const email = parseMailAddress(address, deps.settings)
  const user = await findUserByEmail(deps.database.for(call.context), email)
  if (user === undefined)
    return deps.timing.equalize('recover', async () => {
      pretendToSend(deps, { kind: 'email', address: email }, 'recovery')
      return done
    })
  return deps.timing.measure('recover', () =>
    mailToUser(deps, call, user, 'recovery', challenge, 'user_recovery_requested'),
  )
}
