import { authError } from '../model/errors.ts'

// The pattern of HTML's e-mail fields: no quoted local parts, no white space, so nothing a mail header could break on.
const pattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i

/**
 * Reads an e-mail address; it is matched and stored lower-cased.
 *
 * @throws validation_failed when it is not one, or longer than 255
 */
export function parseEmail(raw: string): string {
  if (raw.length > 255) throw authError('validation_failed', { message: 'An email address is too long' })
  if (!pattern.test(raw))
    throw authError('validation_failed', { message: 'Unable to validate email address: invalid format' })
  return raw.toLowerCase()
}
