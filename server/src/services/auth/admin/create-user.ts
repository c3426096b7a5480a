import type { Sql } from '../../../engines/postgres/index.ts'
import { mergeMetadata } from '../account/user.ts'
import { randomPassword } from '../codes/one-time-tokens.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { hashKindOf } from '../passwords/hash.ts'
import { checkLength } from '../passwords/policy.ts'
import { renderUser } from '../render/user.ts'
import { checkAdmin } from '../sessions/caller.ts'
import { administrator, insertAudit } from '../store/audit.ts'
import {
  findUser,
  findUserByEmail,
  findUserByPhone,
  insertIdentity,
  insertUser,
  type Metadata,
  type UserRow,
} from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import { duplicateOf } from '../users/contact-user.ts'
import { getUserRow } from '../users/new-user.ts'
import { traitsOf } from './find-user.ts'
import { bannedUntil, type GivenUser, parseGivenUser } from './parse-user.ts'

/** `POST /admin/users` (auth §18): no mail is sent, and the policy for passwords does not bind administrators. */
export async function adminCreateUser(parts: Parts, call: Call): Promise<Reply> {
  const { work } = call
  const admin = await checkAdmin(parts, work)
  const given = parseGivenUser(call.body)
  await checkNewUser(parts, given, work)
  const passwordHash = await hashOf(parts, given)
  try {
    return await parts.database.change(work, async (sql) => {
      const user = await insertGivenUser(parts, sql, given, passwordHash, call)
      const audited = { newId: parts.newId, now: parts.now(), work }
      const traits = { ...traitsOf(user), provider: given.email === null ? 'phone' : 'email' }
      await insertAudit(sql, administrator(admin), ['user_signedup'], audited, traits)
      return { status: 200, body: renderUser(user) }
    })
  } catch (cause) {
    const taken = duplicateOf(cause)
    if (taken === null) throw cause
    throw authError(taken === 'email' ? 'email_exists' : 'phone_exists', { cause })
  }
}

async function checkNewUser(parts: Parts, given: GivenUser, work: Call['work']): Promise<void> {
  const { email, phone } = given
  const { sql } = parts.database
  if (email === null && phone === null)
    throw authError('validation_failed', { message: 'Cannot create a user without either an email or phone' })
  if (email !== null && (await findUserByEmail(sql, email, work)) !== undefined) throw authError('email_exists')
  if (phone !== null && (await findUserByPhone(sql, phone, work)) !== undefined)
    throw authError('phone_exists', { message: 'Phone number already registered by another user' })
  if (given.password !== null && given.passwordHash !== null)
    throw authError('validation_failed', { message: 'Only a password or a password hash should be provided' })
  if (given.password !== null) checkLength(given.password)
  if (given.id !== null && (await findUser(sql, given.id, work)) !== undefined)
    throw authError('validation_failed', { message: 'A user with this id already exists' })
}

/**
 * The hash to keep: one that was brought along, or one of the password; somebody without either gets a password that
 * nobody knows.
 *
 * @throws unexpected_failure for a hash of no known kind: what the contract says of it
 */
export async function hashOf(
  parts: Pick<Parts, 'passwords'>,
  { password, passwordHash }: Pick<GivenUser, 'password' | 'passwordHash'>,
): Promise<string> {
  if (passwordHash === null) return parts.passwords.hash(password || randomPassword())
  if (hashKindOf(passwordHash) === undefined) throw authError('unexpected_failure', { message: 'Error creating user' })
  return passwordHash
}

async function insertGivenUser(
  parts: Parts,
  sql: Sql,
  given: GivenUser,
  passwordHash: string,
  { work }: Call,
): Promise<UserRow> {
  const now = parts.now()
  const id = given.id ?? parts.newId()
  const { email, phone } = given
  const providers = [...(email === null ? [] : ['email']), ...(phone === null ? [] : ['phone'])]
  const own: Metadata = { provider: providers[0], providers }
  await insertUser(
    sql,
    {
      id,
      audience: given.audience ?? audienceOf(work, parts.settings),
      role: given.role ?? parts.settings.jwtDefaultRole,
      email,
      phone,
      passwordHash,
      appMetadata: mergeMetadata(own, given.appMetadata ?? {}),
      userMetadata: { ...given.userMetadata, ...(given.confirmsEmail ? { email_verified: true } : {}) },
      isAnonymous: false,
      emailConfirmedAt: given.confirmsEmail ? now : null,
      phoneConfirmedAt: given.confirmsPhone ? now : null,
      bannedUntil: given.banMs === null ? null : bannedUntil(given.banMs, now),
    },
    now,
    work,
  )
  for (const provider of providers) {
    const address = provider === 'email' ? { email } : { phone }
    const data = { sub: id, ...address, email_verified: false, phone_verified: false }
    await insertIdentity(sql, { id: parts.newId(), userId: id, provider, data }, now, work)
  }
  return getUserRow(sql, id, work)
}
