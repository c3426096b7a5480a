import type { CodeChallenge } from '../model/code-challenge.ts'
import { isStorable } from '../parse/body.ts'
import { isScope, splitScopes } from './scopes.ts'

/** A client's authorization request (RFC 6749 §4.1.1, RFC 7636, RFC 8707, OpenID Connect Core §3.1.2.1). */
export interface AuthorizeRequest {
  readonly scope: string
  readonly state: string | null
  readonly resource: string | null
  readonly nonce: string | null
  readonly challenge: CodeChallenge
}

/** A fault that the client receives at its own address. */
export interface RequestFault {
  readonly fault: string
}

const maxLengths = { state: 4096, scope: 4096, resource: 2048, nonce: 255 } as const

/**
 * Reads what is left of an authorization request once its client and address are known to be good.
 *
 * @param defaultScope for a request that names none
 */
export function parseAuthorizeRequest(query: URLSearchParams, defaultScope: string): AuthorizeRequest | RequestFault {
  for (const [name, max] of Object.entries(maxLengths)) {
    const value = query.get(name) ?? ''
    if (value.length > max) return { fault: `${name} must not exceed ${max} characters` }
    if (!isStorable(value)) return { fault: `${name} must not contain U+0000 or half a character` }
  }
  const responseType = query.get('response_type') || 'code'
  if (responseType !== 'code') return { fault: 'only response_type=code is supported' }
  const scopes = splitScopes(query.get('scope') || defaultScope)
  if (scopes.length === 0) return { fault: 'scope parameter cannot be empty' }
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) return { fault: `unsupported scope: ${unknown.slice(0, 100)}` }
  const resource = query.get('resource') || null
  const resourceFault = resource === null ? null : faultOfResource(resource)
  if (resourceFault !== null) return { fault: resourceFault }
  const challenge = parseMandatoryChallenge(query)
  if ('fault' in challenge) return challenge
  return {
    scope: scopes.join(' '),
    state: query.get('state') || null,
    resource,
    nonce: query.get('nonce') || null,
    challenge,
  }
}

function faultOfResource(resource: string): string | null {
  if (!/^[a-z][a-z0-9+.-]*:./i.test(resource) || !URL.canParse(resource)) return 'resource must be an absolute URI'
  if (resource.includes('#')) return 'resource must not include a fragment component'
  return resource.includes('?') ? 'resource must not include a query component' : null
}

/** PKCE is for every client here (OAuth 2.1 §4.1.1). */
function parseMandatoryChallenge(query: URLSearchParams): CodeChallenge | RequestFault {
  const challenge = query.get('code_challenge') ?? ''
  const method = (query.get('code_challenge_method') ?? '').toLowerCase()
  if (challenge === '' || method === '')
    return { fault: 'PKCE flow requires both code_challenge and code_challenge_method' }
  if (method !== 's256' && method !== 'plain') return { fault: "code_challenge_method must be 'S256' or 'plain'" }
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge))
    return { fault: 'code_challenge must be between 43 and 128 characters' }
  return { challenge, method }
}
