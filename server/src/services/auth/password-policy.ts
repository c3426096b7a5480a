import { authError } from './errors.ts'
import type { AuthSettings } from './settings.ts'

/** bcrypt reads no further; a longer password would be cut without a word. */
const maxBytes = 72

const lower = /[a-z]/
const upper = /[A-Z]/
const letter = /[a-zA-Z]/
const digit = /[0-9]/
const symbol = /[!@#$%^&*()_+\-=[\]{};'\\:"|<>?,./`~]/

const required: Readonly<Record<AuthSettings['passwordRequirements'], readonly RegExp[]>> = {
  '': [],
  letters_digits: [letter, digit],
  lower_upper_letters_digits: [lower, upper, digit],
  lower_upper_letters_digits_symbols: [lower, upper, digit, symbol],
}

export type PasswordPolicy = Pick<AuthSettings, 'minimumPasswordLength' | 'passwordRequirements'>

/**
 * Whether a password may be used.
 *
 * @throws weak_password with every reason; validation_failed beyond 72 bytes
 */
export function checkPassword(password: string, policy: PasswordPolicy): void {
  const bytes = Buffer.byteLength(password)
  if (bytes > maxBytes)
    throw authError('validation_failed', { message: `Password cannot be longer than ${maxBytes} characters` })
  const reasons = weaknesses(password, policy)
  if (reasons.length === 0) return
  const message = reasons.includes('length')
    ? `Password should be at least ${policy.minimumPasswordLength} characters.`
    : 'Password should contain characters of each required kind.'
  throw authError('weak_password', { message, details: { reasons } })
}

/** Why a password is weak; empty when it is not. */
export function weaknesses(password: string, policy: PasswordPolicy): readonly ('length' | 'characters')[] {
  const reasons: ('length' | 'characters')[] = []
  if (Buffer.byteLength(password) < policy.minimumPasswordLength) reasons.push('length')
  if (!required[policy.passwordRequirements].every((kind) => kind.test(password))) reasons.push('characters')
  return reasons
}
