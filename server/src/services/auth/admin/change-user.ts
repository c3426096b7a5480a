import type { AuthResponse, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { mergeMetadata, traitsOf, withProviders } from '../model/user.ts'
import { renderUser } from '../render/user.ts'
import { administrator } from '../store/audit.ts'
import type { RequestSql } from '../store/database.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { deleteSessions } from '../store/sessions.ts'
import { duplicateOf, getUserRow, insertIdentity, lockUser, updateIdentity, updateUser } from '../store/users.ts'
import type { AdminDeps } from './deps.ts'
import { hashOf } from './hash.ts'
import { bannedUntil, parseRequestedUser, type RequestedUser } from './parse-user.ts'

/** `PUT /admin/users/{id}` (auth §18): at once, and without a mail. */
export async function adminChangeUser(deps: AdminDeps, call: Call, id: string): Promise<AuthResponse> {
  const { context } = call
  const admin = await deps.checkAdmin(context)
  const { id: userId } = await deps.getUserOfPath(id, context)
  const requested = parseRequestedUser(call.body)
  if (requested.password !== null && requested.passwordHash !== null)
    throw authError('validation_failed', { message: 'Only a password or a password hash should be provided' })
  if (requested.password !== null) await deps.passwordPolicy.check(requested.password)
  const passwordHash =
    requested.password === null && requested.passwordHash === null ? null : await hashOf(deps, requested)
  try {
    return await deps.database.change(context, async (sql) => {
      const user = await lockUser(sql, userId)
      if (user === undefined) throw authError('user_not_found/404')
      await changeUser(deps, sql, user, requested, passwordHash)
      const changed = await getUserRow(sql, userId)
      await deps.audit(sql, administrator(admin), ['user_modified'], traitsOf(changed))
      return { status: 200, body: renderUser(changed) }
    })
  } catch (cause) {
    // An address that another user has: the protocol answers it with 500.
    throw duplicateOf(cause) === null
      ? cause
      : authError('unexpected_failure', { message: 'Error updating user', cause })
  }
}

async function changeUser(
  deps: AdminDeps,
  sql: RequestSql,
  user: UserRow,
  requested: RequestedUser,
  passwordHash: string | null,
): Promise<void> {
  const now = deps.now()
  const providers = await changeIdentities(deps, sql, user, requested)
  const becomesLasting =
    (requested.email !== null && requested.confirmsEmail) || (requested.phone !== null && requested.confirmsPhone)
  const verified = requested.confirmsEmail ? { email_verified: true } : {}
  const change = {
    ...(requested.role === null ? {} : { role: requested.role }),
    ...(requested.email === null ? {} : { email: requested.email }),
    ...(requested.phone === null ? {} : { phone: requested.phone }),
    ...(requested.confirmsEmail ? { emailConfirmedAt: now } : {}),
    ...(requested.confirmsPhone ? { phoneConfirmedAt: now } : {}),
    ...(passwordHash === null ? {} : { passwordHash }),
    ...(requested.banMs === null ? {} : { bannedUntil: bannedUntil(requested.banMs, now) }),
    ...(becomesLasting ? { isAnonymous: false } : {}),
    userMetadata: mergeMetadata({ ...user.userMetadata, ...verified }, requested.userMetadata ?? {}),
    appMetadata: mergeMetadata(
      providers === null ? user.appMetadata : withProviders(user.appMetadata, providers),
      requested.appMetadata ?? {},
    ),
  }
  await updateUser(sql, user.id, change, now)
  if (passwordHash !== null) await deleteSessions(sql, user.id, 'all')
  // What was under way was for the user as they were.
  if (passwordHash !== null || requested.confirmsEmail || requested.confirmsPhone)
    await clearOneTimeTokens(sql, user.id)
}

/** Gives the identities of the addresses that change the new ones; answers all providers when there are new ones. */
async function changeIdentities(
  deps: AdminDeps,
  sql: RequestSql,
  user: UserRow,
  requested: RequestedUser,
): Promise<readonly string[] | null> {
  const had = user.identities.map(({ provider }) => provider)
  const changes = [
    ...(requested.email === null
      ? []
      : [{ provider: 'email', data: { email: requested.email, email_verified: requested.confirmsEmail } }]),
    ...(requested.phone === null
      ? []
      : [{ provider: 'phone', data: { phone: requested.phone, phone_verified: requested.confirmsPhone } }]),
  ]
  const unverified = { email_verified: false, phone_verified: false }
  for (const { provider, data } of changes) {
    if (had.includes(provider)) await updateIdentity(sql, user.id, provider, data, deps.now())
    else {
      const added = { id: deps.newId(), userId: user.id, provider, data: { sub: user.id, ...unverified, ...data } }
      await insertIdentity(sql, added, deps.now())
    }
  }
  const added = changes.map(({ provider }) => provider).filter((provider) => !had.includes(provider))
  return added.length === 0 ? null : [...had, ...added]
}
