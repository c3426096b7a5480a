import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { Metadata, UserRow } from '../model/user.ts'
import { mergeMetadata, traitsOf } from '../model/user.ts'
import { checkLength } from '../passwords/policy.ts'
import { renderUser } from '../render/user.ts'
import { administrator } from '../store/audit.ts'
import type { RequestSql } from '../store/database.ts'
import {
  duplicateOf,
  findUser,
  findUserByEmail,
  findUserByPhone,
  getUserRow,
  insertIdentity,
  insertUser,
} from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import type { AdminDeps } from './deps.ts'
import { hashOf } from './hash.ts'
import { bannedUntil, parseRequestedUser, type RequestedUser } from './parse-user.ts'

/** `POST /admin/users` (auth §18): no mail is sent, and the policy for passwords does not bind administrators. */
export async function adminCreateUser(deps: AdminDeps, call: Call): Promise<AuthResponse> {
  const { context } = call
  const admin = await deps.checkAdmin(context)
  const requested = parseRequestedUser(call.body)
  await checkNewUser(deps, requested, context)
  const passwordHash = await hashOf(deps, requested)
  try {
    return await deps.database.change(context, async (sql) => {
      const user = await insertRequestedUser(deps, sql, requested, passwordHash, call)
      const traits = { ...traitsOf(user), provider: requested.email === null ? 'phone' : 'email' }
      await deps.audit(sql, administrator(admin), ['user_signedup'], traits)
      return { status: 200, body: renderUser(user) }
    })
  } catch (cause) {
    const taken = duplicateOf(cause)
    if (taken === null) throw cause
    throw authError(taken === 'email' ? 'email_exists' : 'phone_exists', { cause })
  }
}

async function checkNewUser(deps: AdminDeps, requested: RequestedUser, context: RequestContext): Promise<void> {
  const { email, phone } = requested
  const sql = deps.database.for(context)
  if (email === null && phone === null)
    throw authError('validation_failed', { message: 'Cannot create a user without either an email or phone' })
  if (email !== null && (await findUserByEmail(sql, email)) !== undefined) throw authError('email_exists')
  if (phone !== null && (await findUserByPhone(sql, phone)) !== undefined)
    throw authError('phone_exists', { message: 'Phone number already registered by another user' })
  if (requested.password !== null && requested.passwordHash !== null)
    throw authError('validation_failed', { message: 'Only a password or a password hash should be provided' })
  if (requested.password !== null) checkLength(requested.password)
  if (requested.id !== null && (await findUser(sql, requested.id)) !== undefined)
    throw authError('validation_failed', { message: 'A user with this id already exists' })
}

async function insertRequestedUser(
  deps: AdminDeps,
  sql: RequestSql,
  requested: RequestedUser,
  passwordHash: string,
  { context }: Call,
): Promise<UserRow> {
  const now = deps.now()
  const id = requested.id ?? deps.newId()
  const { email, phone } = requested
  const providers = [...(email === null ? [] : ['email']), ...(phone === null ? [] : ['phone'])]
  const own: Metadata = { provider: providers[0], providers }
  await insertUser(
    sql,
    {
      id,
      audience: requested.audience ?? audienceOf(context, deps.settings),
      role: requested.role ?? deps.settings.jwtDefaultRole,
      email,
      phone,
      passwordHash,
      appMetadata: mergeMetadata(own, requested.appMetadata ?? {}),
      userMetadata: { ...requested.userMetadata, ...(requested.confirmsEmail ? { email_verified: true } : {}) },
      isAnonymous: false,
      emailConfirmedAt: requested.confirmsEmail ? now : null,
      phoneConfirmedAt: requested.confirmsPhone ? now : null,
      bannedUntil: requested.banMs === null ? null : bannedUntil(requested.banMs, now),
    },
    now,
  )
  for (const provider of providers) {
    const address = provider === 'email' ? { email } : { phone }
    const data = { sub: id, ...address, email_verified: false, phone_verified: false }
    await insertIdentity(sql, { id: deps.newId(), userId: id, provider, data }, now)
  }
  return getUserRow(sql, id)
}
