import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { withProviders } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { duplicateOf, insertIdentity, updateIdentity, updateUser } from '../store/users.ts'
import type { CodesDeps } from './deps.ts'

/**
 * Gives a user the number that was pending, or a first one, as confirmed. An anonymous user becomes a lasting one.
 *
 * @throws phone_exists when another user took it meanwhile
 */
export async function applyPhone(
  deps: Pick<CodesDeps, 'now' | 'newId'>,
  sql: RequestSql,
  user: UserRow,
  phone: string,
): Promise<void> {
  const now = deps.now()
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
    await updateUser(sql, user.id, change, now)
  } catch (cause) {
    throw duplicateOf(cause) === 'phone' ? authError('phone_exists', { cause }) : cause
  }
  const data = { sub: user.id, phone, phone_verified: true }
  if (hadIdentity) await updateIdentity(sql, user.id, 'phone', data, now)
  else {
    const identity = { id: deps.newId(), userId: user.id, provider: 'phone', data: { ...data, email_verified: false } }
    await insertIdentity(sql, identity, now)
  }
  await clearOneTimeTokens(sql, user.id)
}
