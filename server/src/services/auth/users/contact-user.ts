import { type Sql, violates } from '../../../engines/postgres/index.ts'
import type { Call, Parts } from '../deps.ts'
import type { Body } from '../parse/body.ts'
import { insertIdentity, type Metadata, type UserRow } from '../store/users.ts'
import { audienceOf } from './audience.ts'
import { createUser, getUserRow } from './new-user.ts'

export interface Newcomer {
  /** One of the two is there. */
  readonly email: string | null
  readonly phone: string | null
  /** Empty for a user who signs in without one. */
  readonly passwordHash: string
  /** The metadata of the call. */
  readonly data: Body
  /** Whether the address counts as confirmed from the beginning. */
  readonly confirmed: boolean
}

/**
 * Adds a user with an address and its identity; runs inside the caller's transaction. The metadata is the identity's
 * data, as clients of the protocol's own server see it; a client's fields never replace ours (auth §4).
 */
export async function createContactUser(
  parts: Pick<Parts, 'newId' | 'now' | 'settings' | 'hooks' | 'database'>,
  sql: Sql,
  { email, phone, passwordHash, data, confirmed }: Newcomer,
  call: Pick<Call, 'work'>,
): Promise<UserRow> {
  const now = parts.now()
  const id = parts.newId()
  const provider = email === null ? 'phone' : 'email'
  const verified = { email_verified: false, phone_verified: false }
  const identityData = { ...data, sub: id, ...(email === null ? {} : { email }), ...verified }
  await createUser(
    parts,
    sql,
    {
      id,
      audience: audienceOf(call.work, parts.settings),
      role: parts.settings.jwtDefaultRole,
      email,
      phone,
      passwordHash,
      appMetadata: { provider, providers: [provider] },
      userMetadata: provider === 'email' ? { ...identityData, email_verified: confirmed } : identityData,
      isAnonymous: false,
      emailConfirmedAt: confirmed && email !== null ? now : null,
      phoneConfirmedAt: confirmed && email === null ? now : null,
    },
    call.work,
  )
  await insertIdentity(sql, { id: parts.newId(), userId: id, provider, data: identityData }, now, call.work)
  return getUserRow(sql, id, call.work)
}

/** `provider` and `providers` of a user's app metadata, from the identities there are (auth §10). */
export function withProviders(appMetadata: Metadata, providers: readonly string[]): Metadata {
  const names = [...new Set(providers)]
  return { ...appMetadata, ...(names[0] === undefined ? {} : { provider: names[0] }), providers: names }
}

/** The contact that another user has already; null for any other error. */
export function duplicateOf(error: unknown): 'email' | 'phone' | null {
  if (violates(error, 'users_email_partial_key')) return 'email'
  return violates(error, 'users_phone_key') ? 'phone' : null
}
