import { secretParameters } from '../../../../ground/privacy/secrets.ts'
import { authColumns, columnExpression } from '../redact.ts'

/** Parts of the names of headers whose values sign a caller in, or prove something. */
const secretHeader = /auth|cookie|token|secret|password|key|credential|signature|session|jwt|assertion|nonce/i
/** Names that match though they are no secrets. */
const plainHeaders = new Set(['keep-alive', 'access-control-allow-credentials', 'access-control-allow-headers'])

/** Whether a header's value is never kept. */
export const isSecretHeader = (name: string): boolean => secretHeader.test(name) && !plainHeaders.has(name)

/** What auth answers besides the columns of its tables (auth §1): which error, and what it says. */
const authMembers = new Set(
  'error error_code error_description code_challenge_method message msg weak_password'.split(' '),
)

/** Whether a member of what auth is asked or answers may be kept. */
export const isAuthMember = (name: string): boolean =>
  authMembers.has(name) || authColumns.has(name) || wrappers.has(name)

/** Objects and lists of auth that hold members to be judged each. */
const wrappers = new Set('user users session identities data factors'.split(' '))

/**
 * Whether the value of a member of JSON, or a field of a form, is never kept. Of which table a member is, no body tells: a
 * pattern of a table's column holds for every member with the column's name.
 *
 * @param patterns of the setting `secretColumns`
 */
export function createSecretNames(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map((pattern) => columnExpression(pattern.split('.').at(-1) ?? pattern))
  return (name) => secretParameters.has(name.toLowerCase()) || expressions.some((expression) => expression.test(name))
}
