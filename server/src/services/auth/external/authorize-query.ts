import type { CodeChallenge } from '../model/code-challenge.ts'
import { authError } from '../model/errors.ts'
import { isStorable } from '../parse/body.ts'
import { parseChallenge } from '../parse/challenge.ts'
import { isReserved } from '../providers/reserved-parameters.ts'

/** An application's request to send a user to a provider (auth §13). */
export interface AuthorizeQuery {
  readonly provider: string
  readonly scopes: readonly string[]
  readonly challenge: CodeChallenge | null
  readonly inviteToken: string
  /** The parameters for the provider. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Added by ourselves, when a browser is sent to another name of this server. */
export const onceMore = 'clew_once_more'

/** Parameters that are for us. */
const consumed = new Set([
  'provider',
  'scopes',
  'redirect_to',
  'invite_token',
  'skip_http_redirect',
  'apikey',
  onceMore,
])

/**
 * Reads the query of `/authorize`.
 *
 * @throws validation_failed for a bad challenge, or text that the database cannot store
 */
export function parseAuthorizeQuery(query: URLSearchParams): AuthorizeQuery {
  const text = (name: string): string => query.get(name) ?? ''
  if (![...query].flat().every(isStorable))
    throw authError('validation_failed', { message: 'The query must not contain U+0000 or half a character' })
  const passed = [...new Set(query.keys())].filter((name) => !consumed.has(name) && !isReserved(name))
  return {
    provider: text('provider'),
    scopes: text('scopes')
      .split(/[\s,]+/)
      .filter((scope) => scope !== ''),
    challenge: parseChallenge({
      code_challenge: text('code_challenge'),
      code_challenge_method: text('code_challenge_method'),
    }),
    inviteToken: text('invite_token'),
    parameters: Object.fromEntries(
      // WorkOS has a parameter of the name that is ours.
      passed.map((name) => [name === 'workos_provider' ? 'provider' : name, text(name)]),
    ),
  }
}
