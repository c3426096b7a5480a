import type { UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { getUserRow, insertIdentity } from '../store/users.ts'
import { audienceOf } from './audience.ts'
import type { UsersDeps } from './deps.ts'
import { createUser } from './new-user.ts'
import type { Newcomer } from './users.ts'

/**
 * Adds a user with an address and its identity; runs inside the caller's transaction. The metadata is the identity's
 * data, as clients of the protocol's own server see it; a client's fields never replace ours (auth §4).
 */
export async function createContactUser(
  deps: Pick<UsersDeps, 'newId' | 'now' | 'settings' | 'hooks' | 'database'>,
  sql: RequestSql,
  { email, phone, passwordHash, data, confirmed }: Newcomer,
): Promise<UserRow> {
  const now = deps.now()
  const id = deps.newId()
  const provider = email === null ? 'phone' : 'email'
  const verified = { email_verified: false, phone_verified: false }
  const identityData = { ...data, sub: id, ...(email === null ? {} : { email }), ...verified }
  await createUser(deps, sql, {
    id,
    audience: audienceOf(sql.context, deps.settings),
    role: deps.settings.jwtDefaultRole,
    email,
    phone,
    passwordHash,
    appMetadata: { provider, providers: [provider] },
    userMetadata: provider === 'email' ? { ...identityData, email_verified: confirmed } : identityData,
    isAnonymous: false,
    emailConfirmedAt: confirmed && email !== null ? now : null,
    phoneConfirmedAt: confirmed && email === null ? now : null,
  })
  await insertIdentity(sql, { id: deps.newId(), userId: id, provider, data: identityData }, now)
  return getUserRow(sql, id)
}
