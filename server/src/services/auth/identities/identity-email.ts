import type { IdentityRow, UserRow } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { forgetPending, isAddressOfAnother } from '../store/identities.ts'
import { duplicateOf, findUser, updateUser } from '../store/users.ts'
import type { UserSettings } from '../users/settings.ts'

/** The outcome for a user's address after an identity came or went. */
export type EmailOutcome = 'kept' | 'changed' | 'conflict'

/**
 * Gives a user the address of one of their identities when their own is none of them (auth §14): a verified one
 * before others, older ones first. Whatever was sent to the former address is worthless from then on, and an address that
 * is not verified becomes unconfirmed. Runs inside the caller's transaction.
 */
export async function renewEmail(
  deps: { readonly now: () => Date; readonly settings: Pick<UserSettings, 'emailEnableConfirmations'> },
  sql: RequestSql,
  userId: string,
): Promise<EmailOutcome> {
  const user = await findUser(sql, userId)
  if (user === undefined) return 'conflict'
  if (user.identities.some((identity) => (identity.email ?? '') === (user.email?.toLowerCase() ?? ''))) return 'kept'
  const next = await firstFree(sql, user)
  if (next === undefined) return 'conflict'
  const isConfirmed = next.email && (isVerified(next) || !deps.settings.emailEnableConfirmations)
  const unconfirmed = { emailConfirmedAt: null, userMetadata: { ...user.userMetadata, email_verified: false } }
  try {
    const change = { email: next.email || null, ...(isConfirmed ? {} : unconfirmed) }
    await updateUser(sql, user.id, change, deps.now())
  } catch (error) {
    if (duplicateOf(error) !== null) return 'conflict'
    throw error
  }
  await forgetPending(sql, user.id)
  return 'changed'
}

/** Whether the provider verified an identity's address. */
const isVerified = (identity: IdentityRow): boolean => identity.identity_data.email_verified === true

async function firstFree(sql: RequestSql, user: UserRow): Promise<IdentityRow | undefined> {
  const rank = (identity: IdentityRow): number => (!identity.email ? 2 : isVerified(identity) ? 0 : 1)
  // They come oldest first; the sort keeps that order among equals.
  for (const identity of [...user.identities].sort((left, right) => rank(left) - rank(right)))
    if (!identity.email || !(await isAddressOfAnother(sql, identity.email, user.id))) return identity
  return undefined
}
