import type { Sql } from '../../../engines/postgres/index.ts'
import { mergeMetadata } from '../account/user.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { renderUser } from '../render/user.ts'
import { checkAdmin } from '../sessions/caller.ts'
import { administrator, insertAudit } from '../store/audit.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { deleteSessions } from '../store/sessions.ts'
import { insertIdentity, lockUser, type UserRow, updateIdentity, updateUser } from '../store/users.ts'
import { duplicateOf, withProviders } from '../users/contact-user.ts'
import { getUserRow } from '../users/new-user.ts'
import { hashOf } from './create-user.ts'
import { getUserOfPath, traitsOf } from './find-user.ts'
import { bannedUntil, type GivenUser, parseGivenUser } from './parse-user.ts'

/** `PUT /admin/users/{id}` (auth §18): at once, and without a mail. */
export async function adminChangeUser(parts: Parts, call: Call, id: string): Promise<Reply> {
  const { work } = call
  const admin = await checkAdmin(parts, work)
  const { id: userId } = await getUserOfPath(parts, id, work)
  const given = parseGivenUser(call.body)
  if (given.password !== null && given.passwordHash !== null)
    throw authError('validation_failed', { message: 'Only a password or a password hash should be provided' })
  if (given.password !== null) await parts.passwordPolicy.check(given.password)
  const passwordHash = given.password === null && given.passwordHash === null ? null : await hashOf(parts, given)
  try {
    return await parts.database.change(work, async (sql) => {
      const user = await lockUser(sql, userId, work)
      if (user === undefined) throw authError('user_not_found/404')
      await changeGivenUser(parts, sql, user, given, passwordHash, work)
      const changed = await getUserRow(sql, userId, work)
      const audited = { newId: parts.newId, now: parts.now(), work }
      await insertAudit(sql, administrator(admin), ['user_modified'], audited, traitsOf(changed))
      return { status: 200, body: renderUser(changed) }
    })
  } catch (cause) {
    // An address that somebody else has: the contract answers it with 500.
    throw duplicateOf(cause) === null
      ? cause
      : authError('unexpected_failure', { message: 'Error updating user', cause })
  }
}

async function changeGivenUser(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  given: GivenUser,
  passwordHash: string | null,
  work: Call['work'],
): Promise<void> {
  const now = parts.now()
  const providers = await changeIdentities(parts, sql, user, given, work)
  const becomesLasting = (given.email !== null && given.confirmsEmail) || (given.phone !== null && given.confirmsPhone)
  const verified = given.confirmsEmail ? { email_verified: true } : {}
  const change = {
    ...(given.role === null ? {} : { role: given.role }),
    ...(given.email === null ? {} : { email: given.email }),
    ...(given.phone === null ? {} : { phone: given.phone }),
    ...(given.confirmsEmail ? { emailConfirmedAt: now } : {}),
    ...(given.confirmsPhone ? { phoneConfirmedAt: now } : {}),
    ...(passwordHash === null ? {} : { passwordHash }),
    ...(given.banMs === null ? {} : { bannedUntil: bannedUntil(given.banMs, now) }),
    ...(becomesLasting ? { isAnonymous: false } : {}),
    userMetadata: mergeMetadata({ ...user.userMetadata, ...verified }, given.userMetadata ?? {}),
    appMetadata: mergeMetadata(
      providers === null ? user.appMetadata : withProviders(user.appMetadata, providers),
      given.appMetadata ?? {},
    ),
  }
  await updateUser(sql, user.id, change, now, work)
  if (passwordHash !== null) await deleteSessions(sql, user.id, 'all', work)
  // What was under way was for the user as they were.
  if (passwordHash !== null || given.confirmsEmail || given.confirmsPhone) await clearOneTimeTokens(sql, user.id, work)
}

/** Gives the identities of the addresses that change the new ones; answers all providers when there are new ones. */
async function changeIdentities(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  given: GivenUser,
  work: Call['work'],
): Promise<readonly string[] | null> {
  const had = user.identities.map(({ provider }) => provider)
  const changes = [
    ...(given.email === null
      ? []
      : [{ provider: 'email', data: { email: given.email, email_verified: given.confirmsEmail } }]),
    ...(given.phone === null
      ? []
      : [{ provider: 'phone', data: { phone: given.phone, phone_verified: given.confirmsPhone } }]),
  ]
  const unverified = { email_verified: false, phone_verified: false }
  for (const { provider, data } of changes) {
    if (had.includes(provider)) await updateIdentity(sql, user.id, provider, data, parts.now(), work)
    else {
      const added = { id: parts.newId(), userId: user.id, provider, data: { sub: user.id, ...unverified, ...data } }
      await insertIdentity(sql, added, parts.now(), work)
    }
  }
  const added = changes.map(({ provider }) => provider).filter((provider) => !had.includes(provider))
  return added.length === 0 ? null : [...had, ...added]
}
