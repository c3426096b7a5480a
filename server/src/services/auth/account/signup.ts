import type { AuthResponse, Body, Call } from '../model/call.ts'
import type { Contact } from '../model/contact.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { blankUser } from '../model/user.ts'
import { parseEmail } from '../parse/address.ts'
import { readObject, readText } from '../parse/body.ts'
import { parseChallenge } from '../parse/challenge.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { parseChannel, parsePhone } from '../parse/phone.ts'
import { renderUser } from '../render/user.ts'
import type { RequestSql } from '../store/database.ts'
import { duplicateOf, getUserRow } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import { addressOf, findByContact, isConfirmed, mustConfirm } from '../users/contact.ts'
import type { UserSettings } from '../users/settings.ts'
import type { AccountDeps } from './deps.ts'

/** `POST /signup` (auth §6). */
export async function signUp(deps: AccountDeps, call: Call): Promise<AuthResponse> {
  const { body } = call
  const data = readObject(body, 'data') ?? {}
  if (readText(body, 'email') === '' && readText(body, 'phone') === '') return signUpAnonymously(deps, call, data)
  if (!deps.settings.enableSignup) throw authError('signup_disabled')
  const password = readText(body, 'password')
  if (password === '') throw authError('validation_failed', { message: 'Signup requires a valid password' })
  await deps.passwordPolicy.check(password)
  const contact = parseContact(body, deps.settings)
  return mustConfirm(contact, deps.settings)
    ? signUpToConfirm(deps, call, contact, password, data)
    : signUpAtOnce(deps, call, contact, password, data)
}

function parseContact(body: Body, settings: AccountDeps['settings']): Contact {
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  if (address !== '' && phone !== '')
    throw authError('validation_failed', {
      message: 'Only an email address or phone number should be provided on signup.',
    })
  if (phone !== '' && readText(body, 'code_challenge') !== '')
    throw authError('validation_failed', { message: 'PKCE not supported for phone signups' })
  const challenge = parseChallenge(body)
  if (phone !== '') {
    if (!settings.smsEnableSignup) throw authError('phone_provider_disabled')
    return { kind: 'phone', address: parsePhone(phone), channel: parseChannel(body, settings) }
  }
  if (!settings.emailEnableSignup) throw authError('email_provider_disabled')
  const email = settings.emailEnableConfirmations ? parseMailAddress(address, settings) : parseEmail(address)
  return { kind: 'email', address: email, challenge }
}

/** Without confirmations: a session at once, and no word about an address that is taken but that it is. */
async function signUpAtOnce(
  deps: AccountDeps,
  call: Call,
  contact: Contact,
  password: string,
  data: Body,
): Promise<AuthResponse> {
  const { context } = call
  const existing = await findByContact(deps.database.for(call.context), contact)
  // An unconfirmed user may have been prepared by a stranger: signing up must not take it over.
  if (existing !== undefined) throw authError('user_already_exists')
  const passwordHash = await deps.passwords.hash(password)
  try {
    return await deps.database.change(context, async (sql) => {
      const user = await deps.createContactUser(sql, { ...addressOf(contact), passwordHash, data, confirmed: true })
      const { reply } = await deps.issueSession(sql, user, 'password')
      await deps.audit(sql, user, ['user_signedup', 'login'], { provider: contact.kind })
      return reply
    })
  } catch (cause) {
    // Another call took the address between the look and the insert.
    throw duplicateOf(cause) === null ? cause : authError('user_already_exists', { cause })
  }
}

/** With confirmations: a code is sent, and the answer is the same whether the address is new, waiting or taken. */
async function signUpToConfirm(
  deps: AccountDeps,
  call: Call,
  contact: Contact,
  password: string,
  data: Body,
): Promise<AuthResponse> {
  const kind = `signup ${contact.kind}`
  const startedWith = await findByContact(deps.database.for(call.context), contact)
  // Compared where a new one would be hashed: the answer takes as long for an address that is taken.
  if (startedWith !== undefined) {
    const isSamePassword = await deps.passwords.matches(password, startedWith.passwordHash)
    return deps.timing.equalize(kind, () => signUpAgain(deps, call, contact, startedWith, data, isSamePassword))
  }
  const passwordHash = await deps.passwords.hash(password)
  try {
    return await deps.timing.measure(kind, () => signUpNew(deps, call, contact, passwordHash, data))
  } catch (error) {
    const winner =
      duplicateOf(error) === null ? undefined : await findByContact(deps.database.for(call.context), contact)
    if (winner === undefined) throw error
    return signUpAgain(deps, call, contact, winner, data, await deps.passwords.matches(password, winner.passwordHash))
  }
}

async function signUpNew(
  deps: AccountDeps,
  call: Call,
  contact: Contact,
  passwordHash: string,
  data: Body,
): Promise<AuthResponse> {
  return deps.outbox.changeAndSend(call.context, async (sql, post) => {
    const user = await deps.createContactUser(sql, { ...addressOf(contact), passwordHash, data, confirmed: false })
    await deps.sendConfirmation({ sql, post }, user, contact, call, true)
    return answerUser(sql, user)
  })
}

/**
 * The address has a user already: nothing of theirs changes, and the answer says as little as possible. Where the password is
 * another one and comes from elsewhere, two people have signed up: the one who confirms the address must not be left with the
 * other's.
 */
async function signUpAgain(
  deps: AccountDeps,
  call: Call,
  contact: Contact,
  existing: UserRow,
  data: Body,
  isSamePassword: boolean,
): Promise<AuthResponse> {
  const { context } = call
  if (isConfirmed(existing, contact)) {
    if (anyAutoConfirm(deps.settings)) throw authError('user_already_exists')
    deps.pretendToSend(contact, 'confirmation')
    await deps.database.change(context, (sql) =>
      deps.audit(sql, existing, ['user_repeated_signup'], { provider: contact.kind }),
    )
    return { status: 200, body: renderUser(obfuscatedUser(deps, call, contact, data)) }
  }
  deps.checkSending(contact.kind, existing.confirmationSentAt)
  return deps.outbox.changeAndSend(context, async (sql, post) => {
    await deps.sendConfirmation({ sql, post }, existing, contact, call, isSamePassword || 'from there')
    const user = await getUserRow(sql, existing.id)
    // Invited users have not agreed to anything yet: knowing the address must not show their metadata.
    const shown = user.invitedAt === null ? user : { ...user, userMetadata: {}, identities: [] }
    return { status: 200, body: renderUser(shown) }
  })
}

/** Where some sign-ups tell whether an address is taken, by signing in at once, hiding it from others hides nothing. */
const anyAutoConfirm = (settings: UserSettings): boolean =>
  (settings.emailEnableSignup && !settings.emailEnableConfirmations) ||
  (settings.smsEnableSignup && !settings.smsEnableConfirmations)

/** A made-up user: the answer to a repeated sign-up, made from the call alone (auth §34.51). */
function obfuscatedUser(deps: AccountDeps, call: Call, contact: Contact, data: Body): UserRow {
  const now = deps.now()
  return {
    ...blankUser,
    ...addressOf(contact),
    id: deps.newId(),
    aud: audienceOf(call.context, deps.settings),
    confirmationSentAt: now,
    appMetadata: { provider: contact.kind, providers: [contact.kind] },
    userMetadata: data,
    createdAt: now,
    updatedAt: now,
  }
}

async function signUpAnonymously(deps: AccountDeps, call: Call, data: Body): Promise<AuthResponse> {
  if (!deps.settings.enableAnonymousSignIns) throw authError('anonymous_provider_disabled')
  if (!deps.settings.enableSignup) throw authError('signup_disabled')
  const id = deps.newId()
  return deps.database.change(call.context, async (sql) => {
    const newcomer = {
      id,
      audience: audienceOf(call.context, deps.settings),
      role: deps.settings.jwtDefaultRole,
      email: null,
      phone: null,
      passwordHash: '',
      appMetadata: {},
      userMetadata: data,
      isAnonymous: true,
      emailConfirmedAt: null,
      phoneConfirmedAt: null,
    }
    await deps.createUser(sql, newcomer)
    const user = await getUserRow(sql, id)
    const { reply } = await deps.issueSession(sql, user, 'anonymous')
    await deps.audit(sql, user, ['user_signedup', 'login'])
    return reply
  })
}

const answerUser = async (sql: RequestSql, user: UserRow): Promise<AuthResponse> => ({
  status: 200,
  body: renderUser(await getUserRow(sql, user.id)),
})
