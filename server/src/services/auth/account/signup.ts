import type { Sql } from '../../../engines/postgres/index.ts'
import { checkSending, pretendToSend, sendConfirmation } from '../codes/send-code.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { parseEmail } from '../parse/address.ts'
import { type Body, readObject, readText } from '../parse/body.ts'
import { parseChallenge } from '../parse/challenge.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { parseChannel, parsePhone } from '../parse/phone.ts'
import { renderUser } from '../render/user.ts'
import { issueSession } from '../sessions/issue-session.ts'
import type { AuthSettings } from '../settings.ts'
import { insertAudit } from '../store/audit.ts'
import type { UserRow } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import { addressOf, type Contact, findByContact, isConfirmed, mustConfirm } from '../users/contact.ts'
import { createContactUser, duplicateOf } from '../users/contact-user.ts'
import { blankUser, createUser, getUserRow } from '../users/new-user.ts'

/** `POST /signup` (auth §6). */
export async function signUp(parts: Parts, call: Call): Promise<Reply> {
  const { body } = call
  const data = readObject(body, 'data') ?? {}
  if (readText(body, 'email') === '' && readText(body, 'phone') === '') return signUpAnonymously(parts, call, data)
  if (!parts.settings.enableSignup) throw authError('signup_disabled')
  const password = readText(body, 'password')
  if (password === '') throw authError('validation_failed', { message: 'Signup requires a valid password' })
  await parts.passwordPolicy.check(password)
  const contact = parseContact(body, parts.settings)
  return mustConfirm(contact, parts.settings)
    ? signUpToConfirm(parts, call, contact, password, data)
    : signUpAtOnce(parts, call, contact, password, data)
}

function parseContact(body: Body, settings: AuthSettings): Contact {
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
async function signUpAtOnce(parts: Parts, call: Call, contact: Contact, password: string, data: Body): Promise<Reply> {
  const { work } = call
  const existing = await findByContact(parts, contact, call)
  // An unconfirmed user is one that somebody else prepared: signing up must not take it over.
  if (existing !== undefined) throw authError('user_already_exists')
  const passwordHash = await parts.passwords.hash(password)
  try {
    return await parts.database.change(work, async (sql) => {
      const user = await createContactUser(
        parts,
        sql,
        { ...addressOf(contact), passwordHash, data, confirmed: true },
        call,
      )
      const { reply } = await issueSession(parts, sql, user, 'password', work)
      await audit(parts, sql, user, ['user_signedup', 'login'], call, { provider: contact.kind })
      return reply
    })
  } catch (cause) {
    // Somebody else took the address between the look and the insert.
    throw duplicateOf(cause) === null ? cause : authError('user_already_exists', { cause })
  }
}

/** With confirmations: a code is sent, and the answer is the same whether the address is new, waiting or taken. */
async function signUpToConfirm(
  parts: Parts,
  call: Call,
  contact: Contact,
  password: string,
  data: Body,
): Promise<Reply> {
  const kind = `signup ${contact.kind}`
  const startedWith = await findByContact(parts, contact, call)
  // Compared where a new one would be hashed: the answer takes as long for an address that is taken.
  if (startedWith !== undefined) {
    const isSamePassword = await parts.passwords.matches(password, startedWith.passwordHash)
    return parts.pace.part(kind, () => signUpAgain(parts, call, contact, startedWith, data, isSamePassword))
  }
  const passwordHash = await parts.passwords.hash(password)
  try {
    return await parts.pace.whole(kind, () => signUpNew(parts, call, contact, passwordHash, data))
  } catch (error) {
    const winner = duplicateOf(error) === null ? undefined : await findByContact(parts, contact, call)
    if (winner === undefined) throw error
    return signUpAgain(parts, call, contact, winner, data, await parts.passwords.matches(password, winner.passwordHash))
  }
}

async function signUpNew(parts: Parts, call: Call, contact: Contact, passwordHash: string, data: Body): Promise<Reply> {
  return parts.outbox.changeAndSend(call.work, async (sql, post) => {
    const user = await createContactUser(
      parts,
      sql,
      { ...addressOf(contact), passwordHash, data, confirmed: false },
      call,
    )
    await sendConfirmation(parts, { sql, post }, user, contact, call, true)
    return answerUser(sql, user, call)
  })
}

/**
 * The address has a user already: nothing of theirs is changed, and as little as possible is told. Where the password is
 * another one and comes from elsewhere, two people have signed up: whoever confirms the address must not be left with the
 * other's.
 */
async function signUpAgain(
  parts: Parts,
  call: Call,
  contact: Contact,
  existing: UserRow,
  data: Body,
  isSamePassword: boolean,
): Promise<Reply> {
  const { work } = call
  if (isConfirmed(existing, contact)) {
    if (anyAutoConfirm(parts.settings)) throw authError('user_already_exists')
    pretendToSend(parts, contact, 'confirmation')
    await parts.database.change(work, (sql) =>
      audit(parts, sql, existing, ['user_repeated_signup'], call, { provider: contact.kind }),
    )
    return { status: 200, body: renderUser(obfuscatedUser(parts, call, contact, data)) }
  }
  checkSending(parts, contact.kind, existing.confirmationSentAt)
  return parts.outbox.changeAndSend(work, async (sql, post) => {
    await sendConfirmation(parts, { sql, post }, existing, contact, call, isSamePassword || 'from there')
    const user = await getUserRow(sql, existing.id, work)
    // Who was invited has not agreed to anything yet: their metadata is not for whoever knows the address.
    const shown = user.invitedAt === null ? user : { ...user, userMetadata: {}, identities: [] }
    return { status: 200, body: renderUser(shown) }
  })
}

/** Where some sign-ups tell whether an address is taken, by signing in at once, hiding it from others hides nothing. */
const anyAutoConfirm = (settings: AuthSettings): boolean =>
  (settings.emailEnableSignup && !settings.emailEnableConfirmations) ||
  (settings.smsEnableSignup && !settings.smsEnableConfirmations)

/** A user that nobody is: what a repeated sign-up is answered with, made from the call alone (auth §34.51). */
function obfuscatedUser(parts: Parts, call: Call, contact: Contact, data: Body): UserRow {
  const now = parts.now()
  return {
    ...blankUser,
    ...addressOf(contact),
    id: parts.newId(),
    aud: audienceOf(call.work, parts.settings),
    confirmationSentAt: now,
    appMetadata: { provider: contact.kind, providers: [contact.kind] },
    userMetadata: data,
    createdAt: now,
    updatedAt: now,
  }
}

async function signUpAnonymously(parts: Parts, call: Call, data: Body): Promise<Reply> {
  if (!parts.settings.enableAnonymousSignIns) throw authError('anonymous_provider_disabled')
  if (!parts.settings.enableSignup) throw authError('signup_disabled')
  const id = parts.newId()
  return parts.database.change(call.work, async (sql) => {
    const newcomer = {
      id,
      audience: audienceOf(call.work, parts.settings),
      role: parts.settings.jwtDefaultRole,
      email: null,
      phone: null,
      passwordHash: '',
      appMetadata: {},
      userMetadata: data,
      isAnonymous: true,
      emailConfirmedAt: null,
      phoneConfirmedAt: null,
    }
    await createUser(parts, sql, newcomer, call.work)
    const user = await getUserRow(sql, id, call.work)
    const { reply } = await issueSession(parts, sql, user, 'anonymous', call.work)
    await audit(parts, sql, user, ['user_signedup', 'login'], call)
    return reply
  })
}

const answerUser = async (sql: Sql, user: UserRow, call: Call): Promise<Reply> => ({
  status: 200,
  body: renderUser(await getUserRow(sql, user.id, call.work)),
})

const audit = (
  parts: Parts,
  sql: Sql,
  user: UserRow,
  actions: Parameters<typeof insertAudit>[2],
  call: Pick<Call, 'work'>,
  traits?: Readonly<Record<string, unknown>>,
): Promise<void> => insertAudit(sql, user, actions, { newId: parts.newId, now: parts.now(), work: call.work }, traits)
