import { authError } from '../model/errors.ts'
import type { IsPwned, PasswordPolicy, Weakness } from './passwords.ts'
import type { PasswordSettings } from './settings.ts'

/** bcrypt reads no further; a longer password would be cut without a word. */
const maxBytes = 72

const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'
const symbols = '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~'

const required: Readonly<Record<PasswordSettings['passwordRequirements'], readonly string[]>> = {
  '': [],
  letters_digits: [lower + upper, digits],
  lower_upper_letters_digits: [lower, upper, digits],
  lower_upper_letters_digits_symbols: [lower, upper, digits, symbols],
}

export type PasswordRules = Pick<
  PasswordSettings,
  'minimumPasswordLength' | 'passwordRequirements' | 'passwordRequiredCharacters'
>

/** The policy of passwords; `isPwned` is null where breached passwords are not looked for. */
export function createPasswordPolicy(rules: PasswordRules, isPwned: IsPwned | null): PasswordPolicy {
  const sets = [...required[rules.passwordRequirements], ...parseCharacterSets(rules.passwordRequiredCharacters ?? '')]

  const judge: PasswordPolicy['judge'] = async (password) => {
    const found: { reason: Weakness; message: string }[] = []
    if (Buffer.byteLength(password) < rules.minimumPasswordLength)
      found.push({
        reason: 'length',
        message: `Password should be at least ${rules.minimumPasswordLength} characters.`,
      })
    if (!sets.every((set) => [...set].some((character) => password.includes(character))))
      found.push({
        reason: 'characters',
        message: `Password should contain at least one character of each: ${sets.join(', ')}.`,
      })
    if (isPwned !== null && (await isPwned(password)))
      found.push({
        reason: 'pwned',
        message: 'Password is known to be weak and easy to guess, please choose a different one.',
      })
    if (found.length === 0) return null
    return { message: found.map(({ message }) => message).join(' '), reasons: found.map(({ reason }) => reason) }
  }

  return {
    judge,
    async check(password) {
      checkLength(password)
      const weak = await judge(password)
      if (weak !== null) throw authError('weak_password', { message: weak.message, details: { reasons: weak.reasons } })
    },
  }
}

/**
 * Rejects what cannot be hashed whole.
 *
 * @throws validation_failed beyond 72 bytes
 */
export function checkLength(password: string): void {
  if (Buffer.byteLength(password) > maxBytes)
    throw authError('validation_failed', { message: `Password cannot be longer than ${maxBytes} characters` })
}

/** Reads `abc:ABC:0123`: sets of characters of which a password must hold one each; `\:` is a colon in a set. */
export const parseCharacterSets = (raw: string): readonly string[] =>
  raw
    .split(/(?<!\\):/)
    .map((set) => set.replaceAll('\\:', ':'))
    .filter((set) => set !== '')
