import { operatorsError } from '../errors.ts'
import { normalizeEmail } from './email.ts'

function refuse(message: string): never {
  throw operatorsError('CLEW_OPERATORS_INVALID', { message })
}

/** @throws CLEW_OPERATORS_INVALID */
export function parseName(typed: string): string {
  const name = typed.trim()
  return name === '' ? refuse('The name is empty.') : name
}

/** An e-mail address as accounts store it. @throws CLEW_OPERATORS_INVALID */
export function parseEmail(typed: string): string {
  const address = normalizeEmail(typed)
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(address) && address.length <= 255
  return isAddress ? address : refuse('The e-mail address is not one.')
}

/** @throws CLEW_OPERATORS_INVALID */
export function parsePassword(password: string, minimumLength: number): string {
  return [...password].length < minimumLength
    ? refuse(`The password has fewer than ${minimumLength} characters.`)
    : password
}
