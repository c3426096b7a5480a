import { randomPassword } from '../codes/one-time-tokens.ts'
import { authError } from '../model/errors.ts'
import { hashKindOf } from '../passwords/hash.ts'
import type { AdminDeps } from './deps.ts'
import type { RequestedUser } from './parse-user.ts'

/**
 * The hash to store: the one in the call, or one of its password; without either, one of a random password.
 *
 * @throws unexpected_failure for a hash of no known kind: what the contract says of it
 */
export async function hashOf(
  deps: Pick<AdminDeps, 'passwords'>,
  { password, passwordHash }: Pick<RequestedUser, 'password' | 'passwordHash'>,
): Promise<string> {
  if (passwordHash === null) return deps.passwords.hash(password || randomPassword())
  if (hashKindOf(passwordHash) === undefined) throw authError('unexpected_failure', { message: 'Error creating user' })
  return passwordHash
}
