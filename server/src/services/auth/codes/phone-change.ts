import type { Sql } from '../../../engines/postgres/index.ts'
import type { Call, Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { insertIdentity, type UserRow, updateIdentity, updateUser } from '../store/users.ts'
import { duplicateOf, withProviders } from '../users/contact-user.ts'

/**
 * Gives a user the number that was pending, or a first one, as confirmed. An anonymous user becomes a lasting one.
 *
 * @throws phone_exists when somebody else took it meanwhile
 */
export async function applyPhone(
  parts: Pick<Parts, 'now' | 'newId'>,
  sql: Sql,
  user: UserRow,
  phone: string,
  work: Call['work'],
): Promise<void> {
  const now = parts.now()
  const providers = user.identities.map((identity) => identity.provider)
  const hadIdentity = providers.includes('phone')
  const change = {
    phone,
    newPhone: '',
    phoneChangeToken: '',
    phoneConfirmedAt: now,
    isAnonymous: false,
    appMetadata: withProviders(user.appMetadata, hadIdentity ? providers : [...providers, 'phone']),
  }
  try {
    await updateUser(sql, user.id, change, now, work)
  } catch (cause) {
    throw duplicateOf(cause) === 'phone' ? authError('phone_exists', { cause }) : cause
  }
  const data = { sub: user.id, phone, phone_verified: true }
  if (hadIdentity) await updateIdentity(sql, user.id, 'phone', data, now, work)
  else {
    const identity = { id: parts.newId(), userId: user.id, provider: 'phone', data: { ...data, email_verified: false } }
    await insertIdentity(sql, identity, now, work)
  }
  await clearOneTimeTokens(sql, user.id, work)
}
