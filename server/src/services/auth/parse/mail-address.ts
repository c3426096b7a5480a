import { authError } from '../model/errors.ts'
import { parseEmail } from './address.ts'

/** Which addresses a project sends mails to. */
export interface MailRules {
  /** Whole addresses; empty for any. */
  readonly emailAuthorizedAddresses: readonly string[]
  /** Whether addresses in reserved domains are rejected. */
  readonly emailExtendedValidation: boolean
}

/**
 * Reads an address that a mail is about to go to. It is rejected before the look whether it has an account.
 *
 * @throws validation_failed, email_address_not_authorized, email_address_invalid
 */
export function parseMailAddress(raw: string, rules: MailRules): string {
  const email = parseEmail(raw)
  // `ann+test@…` is Ann's too.
  const plain = email.replace(/\+[^@]+@/, '@')
  const allowed = rules.emailAuthorizedAddresses
  if (allowed.length > 0 && !allowed.some((address) => address.toLowerCase() === plain))
    throw authError('email_address_not_authorized', {
      message: `Email address "${email}" cannot be used as it is not authorized`,
    })
  if (rules.emailExtendedValidation && isReserved(email.slice(email.indexOf('@') + 1)))
    throw authError('email_address_invalid', { message: `Email address "${email}" is invalid` })
  return email
}

/** Names that are set aside and never have a mailbox (RFC 2606, RFC 6761). */
const isReserved = (host: string): boolean =>
  /(^|\.)(test|example|invalid|localhost|local)$/.test(host) || /(^|\.)example\.(com|net|org)$/.test(host)
