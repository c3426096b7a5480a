import { isUuid } from '../../ground/ids/uuidv7.ts'
import { createOpaqueKeyFinder, type OpaqueKeys } from '../../ground/jwt/api-keys.ts'
import type { Caller, Claims, Identity, TokenProblem } from '../../ground/model/caller.ts'

/** The project’s keys, and whether calls need one. */
export interface CallerDeps {
  /** Verifies a JSON Web Token by the project's keys. */
  readonly verify: (token: string) =>
    | {
        readonly kind: 'claims'
        readonly claims: Claims
        readonly claimsJson: string
        /** Whether another issuer signed it: its `sub` names none of our users. */
        readonly isForeign: boolean
      }
    | { readonly kind: 'refused'; readonly problem: TokenProblem }
  /** The opaque keys, `sb_publishable_…` for `anon` and `sb_secret_…` for `service_role`. */
  readonly apiKeys: OpaqueKeys
  /** False in local mode, where a call without any key has the anonymous role. */
  readonly keyRequired: boolean
  /** Told the key, or the token in its place, that a call carries. */
  readonly noteKey?: (key: string) => void
}

/** The credentials of a request, as sent. */
export interface Credentials {
  /** The `apikey` header, into which the query parameter of that name has been moved. */
  readonly apikey: string | null
  /** The `Authorization` header as sent. */
  readonly authorization: string | null
}

const anonymousRole = 'anon'

/**
 * Finds the caller by project key and bearer token (auth §2, project-folder §3). A bearer token that is one of the project's
 * keys has that key's role; any other one is a user's token and wins over the key. Without a token the key decides.
 */
export function createCallerFinder(deps: CallerDeps): (credentials: Credentials) => Identity {
  const anonymous = keyCaller(anonymousRole)
  const service = keyCaller('service_role')
  const roleOfKey = createOpaqueKeyFinder(deps.apiKeys)

  const ofOpaqueKey = (key: string): Caller | null => {
    if (!key.startsWith('sb_')) return null
    const role = roleOfKey(key)
    return role === undefined ? null : role === 'anon' ? anonymous : service
  }

  const ofToken = (token: string): Identity => {
    const verified = deps.verify(token)
    if (verified.kind === 'refused') return verified
    return { kind: 'caller', caller: tokenCaller(verified), token }
  }

  /** A legacy key is a token with a role but no subject, unlike a user's token. */
  const isLegacyKey = (key: string): boolean => {
    const verified = deps.verify(key)
    return verified.kind === 'claims' && verified.claims.sub === undefined
  }
  const isKey = (key: string): boolean => ofOpaqueKey(key) !== null || isLegacyKey(key)

  /** The identity of a call without a project key, which may carry a user's token; a key in its place does not count. */
  const withoutKey = (bearer: string | null): Identity => {
    const identity = bearer === null ? null : ofToken(bearer)
    return identity?.kind === 'caller' && identity.caller.userId !== null
      ? { kind: 'no_key', bearer: identity.caller }
      : { kind: 'no_key' }
  }

  return ({ apikey, authorization }) => {
    const bearer = bearerOf(authorization)
    const sent = apikey ?? bearer
    if (sent !== null) deps.noteKey?.(sent)
    if (deps.keyRequired && !(apikey !== null && isKey(apikey))) return withoutKey(bearer)
    if (bearer !== null) {
      const key = ofOpaqueKey(bearer)
      return key === null ? ofToken(bearer) : { kind: 'caller', caller: key, token: null }
    }
    if (apikey === null || apikey === '') return { kind: 'caller', caller: anonymous, token: null }
    const key = ofOpaqueKey(apikey)
    return key === null ? ofToken(apikey) : { kind: 'caller', caller: key, token: null }
  }
}

function keyCaller(role: string): Caller {
  const claims: Claims = { role }
  return { role, claims, claimsJson: JSON.stringify(claims), userId: null, authSessionId: null }
}

type Verified = Extract<ReturnType<CallerDeps['verify']>, { kind: 'claims' }>

function tokenCaller({ claims, claimsJson, isForeign }: Verified): Caller {
  const text = (name: string): string | null => {
    const value = claims[name]
    return typeof value === 'string' && isUuid(value) ? value : null
  }
  const role = typeof claims.role === 'string' && claims.role !== '' ? claims.role : anonymousRole
  return {
    role,
    claims: claims.role === role ? claims : { ...claims, role },
    claimsJson: claims.role === role ? claimsJson : JSON.stringify({ ...claims, role }),
    userId: isForeign ? null : text('sub'),
    authSessionId: isForeign ? null : text('session_id'),
  }
}

/** The token of `Bearer <token>` (RFC 6750 §2.1, scheme in any case); null for another scheme or none. */
export function bearerOf(authorization: string | null): string | null {
  if (authorization === null) return null
  const match = /^bearer(?:\s+(.*))?$/i.exec(authorization.trim())
  return match === null ? null : (match[1] ?? '').trim()
}
