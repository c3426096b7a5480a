import type { Sql } from '../../engines/postgres/index.ts'
import type { Call, Parts, Reply } from './deps.ts'
import { authError } from './errors.ts'
import { issueSession } from './issue-session.ts'
import { parseEmail } from './parse/address.ts'
import { type Body, readObject, readText } from './parse/body.ts'
import { type CodeChallenge, parseChallenge } from './parse/challenge.ts'
import { checkPassword } from './password-policy.ts'
import { renderUser } from './render/user.ts'
import { prepareMail } from './send-token.ts'
import { insertAudit } from './store/audit.ts'
import { findUser, findUserByEmail, insertEmailIdentity, insertUser, type UserRow } from './store/users.ts'

/** `POST /signup` (contract §6). */
export async function signUp(parts: Parts, call: Call): Promise<Reply> {
  const { body } = call
  const { settings } = parts
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  const data = readObject(body, 'data') ?? {}
  if (address === '' && phone === '') return signUpAnonymously(parts, call, data)
  if (!settings.enableSignup) throw authError('signup_disabled')
  const password = readText(body, 'password')
  if (password === '') throw authError('validation_failed', { message: 'Signup requires a valid password' })
  checkPassword(password, settings)
  if (address !== '' && phone !== '')
    throw authError('validation_failed', {
      message: 'Only an email address or phone number should be provided on signup.',
    })
  if (phone !== '') throw authError('phone_provider_disabled')
  if (!settings.emailEnableSignup) throw authError('email_provider_disabled')
  const email = parseEmail(address)
  const challenge = parseChallenge(body)

  const existing = await findUserByEmail(parts.database.sql, email, call.work)
  // Hashed whether it is needed or not: the answer takes as long for an address that is taken.
  const passwordHash = await parts.passwords.hash(password)
  if (existing !== undefined) return signUpAgain(parts, call, existing, data, challenge)
  try {
    return await signUpNew(parts, call, { email, passwordHash, data, challenge })
  } catch (error) {
    // Somebody else took the address between the look and the insert.
    const winner = isDuplicate(error) ? await findUserByEmail(parts.database.sql, email, call.work) : undefined
    if (winner === undefined) throw error
    return signUpAgain(parts, call, winner, data, challenge)
  }
}

interface Newcomer {
  readonly email: string
  readonly passwordHash: string
  readonly data: Body
  readonly challenge: CodeChallenge | null
}

async function signUpNew(parts: Parts, call: Call, newcomer: Newcomer): Promise<Reply> {
  const { work } = call
  const confirmed = !parts.settings.emailEnableConfirmations
  const { reply, mail } = await parts.database.change(work, async (sql) => {
    const user = await createEmailUser(parts, sql, { ...newcomer, confirmed }, call)
    if (confirmed) {
      const { reply } = await issueSession(parts, sql, user, 'password', work)
      await audit(parts, sql, user, ['user_signedup', 'login'], call)
      return { reply, mail: null }
    }
    const prepared = await prepareMail(parts, sql, user, 'confirmation', call, newcomer.challenge)
    await audit(parts, sql, user, ['user_confirmation_requested'], call)
    return { reply: await answerUser(sql, user, call), mail: prepared }
  })
  await mail?.send()
  return reply
}

/** The address has a user already: nothing of theirs is changed, and as little as possible is told. */
async function signUpAgain(
  parts: Parts,
  call: Call,
  existing: UserRow,
  data: Body,
  challenge: CodeChallenge | null,
): Promise<Reply> {
  const { work } = call
  // Without confirmations an unconfirmed user is one that somebody else prepared: signing up must not take it over.
  if (!parts.settings.emailEnableConfirmations) throw authError('user_already_exists')
  if (existing.emailConfirmedAt !== null) {
    parts.frequency.pretend('confirmation', existing.email ?? '')
    await parts.database.change(work, (sql) => audit(parts, sql, existing, ['user_repeated_signup'], call))
    return { status: 200, body: renderUser(obfuscatedUser(parts, existing.email, data)) }
  }
  const { reply, mail } = await parts.database.change(work, async (sql) => {
    const prepared = await prepareMail(parts, sql, existing, 'confirmation', call, challenge)
    await audit(parts, sql, existing, ['user_confirmation_requested'], call)
    return { reply: await answerUser(sql, existing, call), mail: prepared }
  })
  await mail.send()
  return reply
}

/** A user that nobody is: what a repeated sign-up is answered with, made from the call alone (contract §34.51). */
function obfuscatedUser(parts: Parts, email: string | null, data: Body): UserRow {
  const now = parts.now()
  return {
    id: parts.newId(),
    aud: 'authenticated',
    role: '',
    email,
    phone: null,
    passwordHash: null,
    emailConfirmedAt: null,
    phoneConfirmedAt: null,
    confirmedAt: null,
    invitedAt: null,
    confirmationSentAt: now,
    recoverySentAt: null,
    emailChangeSentAt: null,
    emailChangeStatus: 0,
    phoneChangeSentAt: null,
    reauthenticationSentAt: null,
    lastSignInAt: null,
    bannedUntil: null,
    deletedAt: null,
    newEmail: null,
    newPhone: null,
    appMetadata: { provider: 'email', providers: ['email'] },
    userMetadata: data,
    isAnonymous: false,
    isSsoUser: false,
    createdAt: now,
    updatedAt: now,
    identities: [],
    factors: [],
  }
}

async function signUpAnonymously(parts: Parts, call: Call, data: Body): Promise<Reply> {
  if (!parts.settings.enableAnonymousSignIns) throw authError('anonymous_provider_disabled')
  if (!parts.settings.enableSignup) throw authError('signup_disabled')
  const id = parts.newId()
  return parts.database.change(call.work, async (sql) => {
    const newcomer = {
      id,
      email: null,
      passwordHash: '',
      appMetadata: {},
      userMetadata: data,
      isAnonymous: true,
      emailConfirmedAt: null,
    }
    await insertUser(sql, newcomer, parts.now(), call.work)
    const user = await mustFind(sql, id, call)
    const { reply } = await issueSession(parts, sql, user, 'anonymous', call.work)
    await audit(parts, sql, user, ['user_signedup', 'login'], call)
    return reply
  })
}

export interface EmailUserOptions {
  readonly email: string
  /** Empty for a user who signs in by mail only. */
  readonly passwordHash: string
  readonly data: Body
  readonly confirmed: boolean
}

/**
 * Adds a user with an e-mail address and its identity; runs inside the caller's transaction. The metadata is the
 * identity's data, as clients of the protocol's own server see it; a client's fields never replace ours (contract §4).
 */
export async function createEmailUser(
  parts: Pick<Parts, 'newId' | 'now'>,
  sql: Sql,
  { email, passwordHash, data, confirmed }: EmailUserOptions,
  call: Pick<Call, 'work'>,
): Promise<UserRow> {
  const now = parts.now()
  const id = parts.newId()
  const identityData = { ...data, sub: id, email, email_verified: false, phone_verified: false }
  await insertUser(
    sql,
    {
      id,
      email,
      passwordHash,
      appMetadata: { provider: 'email', providers: ['email'] },
      userMetadata: { ...identityData, email_verified: confirmed },
      isAnonymous: false,
      emailConfirmedAt: confirmed ? now : null,
    },
    now,
    call.work,
  )
  await insertEmailIdentity(sql, { id: parts.newId(), userId: id, data: identityData }, now, call.work)
  return mustFind(sql, id, call)
}

async function mustFind(sql: Sql, id: string, call: Pick<Call, 'work'>): Promise<UserRow> {
  const user = await findUser(sql, id, call.work)
  // A trigger of the application may have taken the row away again.
  if (user === undefined) throw authError('unexpected_failure')
  return user
}

const answerUser = async (sql: Sql, user: UserRow, call: Call): Promise<Reply> => ({
  status: 200,
  body: renderUser(await mustFind(sql, user.id, call)),
})

const audit = (
  parts: Parts,
  sql: Sql,
  user: UserRow,
  actions: Parameters<typeof insertAudit>[2],
  call: Call,
): Promise<void> => insertAudit(sql, user, actions, { newId: parts.newId, now: parts.now(), work: call.work })

/** Whether PostgreSQL refused a second row with the same address (23505, users_email_partial_key). */
export function isDuplicate(error: unknown): boolean {
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown }
  return error instanceof Error && code === '23505' && constraint === 'users_email_partial_key'
}
