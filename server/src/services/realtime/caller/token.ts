import type { Caller, Claims, TokenProblem } from '../../../ground/model/caller.ts'

/** A channel as its clients name it. */
export interface ChannelName {
  /** Without `realtime:` before it. */
  readonly topic: string
  readonly isPrivate: boolean
}

/** The caller that a token makes, and when it ends. */
export interface Grant {
  readonly caller: Caller
  /** As it was sent. */
  readonly token: string
  /** Milliseconds since 1970; null for a key that does not expire. */
  readonly expiresAtMs: number | null
  /** The one channel that an operator's ticket is for; null for what clients have. */
  readonly only: ChannelName | null
}

/** Whether a grant is for a channel. */
export const isWithin = (only: Grant['only'], { topic, isPrivate }: ChannelName): boolean =>
  only === null || (only.topic === topic && only.isPrivate === isPrivate)

/** Why a token is not taken, in the words of the reference (realtime §1, realtime §3). */
export interface TokenRefusal {
  readonly code: 'InvalidJWTToken' | 'MalformedJWT' | 'JwtSignatureError'
  readonly message: string
}

/** Verifies signature and times of a token. */
export type VerifyToken = (
  token: string,
) =>
  | { readonly kind: 'claims'; readonly claims: Claims; readonly claimsJson: string }
  | { readonly kind: 'refused'; readonly problem: TokenProblem }

/** The dependencies of `createTokenReader`. */
export interface TokenReaderDeps {
  readonly verify: VerifyToken
  /** The role of one of the project's opaque keys; undefined for any other text. */
  readonly roleOfKey: (key: string) => string | undefined
  readonly now: () => Date
}

/** Reads a key or token. */
export type ReadToken = (
  token: string,
) => { readonly kind: 'grant'; readonly grant: Grant } | { readonly kind: 'refused'; readonly refusal: TokenRefusal }

/** A reader of keys and users' tokens. A token needs `role` and `exp`. */
export function createTokenReader({ verify, roleOfKey, now }: TokenReaderDeps): ReadToken {
  return (text) => {
    const token = cleaned(text)
    const role = roleOfKey(token)
    if (role !== undefined)
      return { kind: 'grant', grant: { token, caller: keyCaller(role), expiresAtMs: null, only: null } }
    const verified = verify(token)
    if (verified.kind === 'refused') return { kind: 'refused', refusal: refusalOf(verified.problem, now()) }
    const { claims, claimsJson } = verified
    const { role: named, exp } = claims
    if (typeof named !== 'string' || named === '' || exp === undefined)
      return invalid('Fields `role` and `exp` are required in JWT')
    if (typeof exp !== 'number') return invalid('Token expiration time is invalid')
    return {
      kind: 'grant',
      grant: {
        token,
        caller: callerOf(named, claims, claimsJson),
        expiresAtMs: Math.round(exp) * 1000,
        only: null,
      },
    }
  }
}

/** The caller of verified claims. */
export function callerOf(role: string, claims: Claims, claimsJson: string): Caller {
  const { sub, session_id: authSessionId } = claims
  return {
    ...{ role, claims, claimsJson },
    userId: typeof sub === 'string' ? sub : null,
    authSessionId: typeof authSessionId === 'string' ? authSessionId : null,
  }
}

/** White space and the encoding of addresses are left by clients that put tokens together from pieces. */
function cleaned(text: string): string {
  const bare = text.replace(/\s+/g, '')
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

function keyCaller(role: string): Caller {
  const claims = { role }
  return { role, claims, claimsJson: JSON.stringify(claims), userId: null, authSessionId: null }
}

const invalid = (message: string): ReturnType<ReadToken> => ({
  kind: 'refused',
  refusal: { code: 'InvalidJWTToken', message },
})

/** Why a token is refused, in the words of the reference. */
export function refusalOf(problem: TokenProblem, now: Date): TokenRefusal {
  switch (problem.kind) {
    case 'malformed':
    case 'empty':
      return { code: 'MalformedJWT', message: 'The token provided is not a valid JWT' }
    case 'expired': {
      const exp = problem.claims?.exp
      const seconds = typeof exp === 'number' ? Math.max(0, Math.round(now.getTime() / 1000 - exp)) : 0
      return { code: 'InvalidJWTToken', message: `Token has expired ${seconds} seconds ago` }
    }
    case 'bad_claims':
      return problem.claim === 'exp'
        ? { code: 'InvalidJWTToken', message: 'Token expiration time is invalid' }
        : { code: 'InvalidJWTToken', message: 'Fields `role` and `exp` are required in JWT' }
    default:
      return { code: 'JwtSignatureError', message: 'Failed to validate JWT signature' }
  }
}
