import { createHash } from 'node:crypto'
import { createRemoteJWKSet, type JWTPayload, customFetch as joseFetch, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { type AuthorizationServer, processDiscoveryResponse } from 'oauth4webapi'
import type { Outbound } from '../../../engines/outbound/index.ts'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'

/** The claims of an ID token that was verified. */
export type IdToken = JWTPayload

export interface IdTokenOptions {
  /** Further values of `iss` that the issuer uses. */
  readonly also?: readonly string[]
  /** Where the issuer's metadata is, when not at its usual place. */
  readonly discoveryUrl?: string | null
}

export interface IdTokenExpectations extends IdTokenOptions {
  readonly issuer: string
  /** Null when the caller looks at the audience itself. */
  readonly audiences: readonly string[] | null
  /** Must be the one of `at_hash` where the token has that. */
  readonly accessToken?: string | null
}

/** OpenID Connect as far as a relying party needs it: metadata and keys of issuers, remembered; ID tokens, verified. */
export interface Oidc {
  /** @throws when the issuer cannot be reached, or its metadata is of another issuer */
  discover(issuer: string, discoveryUrl?: string | null): Promise<AuthorizationServer>
  /** @throws when the token is not a good one of this issuer */
  verify(idToken: string, expected: IdTokenExpectations): Promise<IdToken>
  /** Forgets what is remembered of an issuer. */
  forget(issuer: string): void
}

type Keys = ReturnType<typeof createRemoteJWKSet>

interface Remembered {
  readonly server: AuthorizationServer
  readonly keys: Keys | null
  readonly until: number
}

const rememberedMs = 60 * 60 * 1000
const keysRememberedMs = 10 * 60 * 1000
/** Never a symmetric one: the keys are public. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

export interface OidcDeps {
  readonly outbound: Outbound
  readonly now: () => Date
  /** Multi-tenant providers have an issuer for each tenant, and callers name it. */
  readonly maxIssuers: number
}

/** A relying party that asks issuers through `outbound`. */
export function createOidc({ outbound, now, maxIssuers }: OidcDeps): Oidc {
  const remembered = new LRUCache<string, Remembered>({ max: maxIssuers })
  const inFlight = new Map<string, Promise<Remembered>>()

  const ask = async (issuer: string, discoveryUrl: string | null): Promise<Remembered> => {
    const url = discoveryUrl ?? `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
    const response = await outbound(url, { headers: { accept: 'application/json' } })
    const server = await processDiscoveryResponse(new URL(issuer), response)
    const keys = server.jwks_uri === undefined ? null : remoteKeys(server.jwks_uri, outbound)
    const found = { server, keys, until: now().getTime() + rememberedMs }
    remembered.set(issuer, found)
    return found
  }

  const find = async (issuer: string, discoveryUrl: string | null): Promise<Remembered> => {
    const known = remembered.get(issuer)
    if (known !== undefined && known.until > now().getTime()) return known
    const finding = inFlight.get(issuer) ?? ask(issuer, discoveryUrl).finally(() => inFlight.delete(issuer))
    inFlight.set(issuer, finding)
    try {
      return await finding
    } catch (error) {
      // An issuer that is down for a moment has hardly changed: signing in goes on with what was known.
      if (known !== undefined) return known
      throw error
    }
  }

  return {
    discover: async (issuer, discoveryUrl = null) => (await find(issuer, discoveryUrl)).server,
    async verify(idToken, { issuer, also = [], discoveryUrl = null, audiences, accessToken = null }) {
      const { server, keys } = await find(issuer, discoveryUrl)
      if (keys === null) throw new Error(`${issuer} does not say where its keys are.`)
      const offered = server.id_token_signing_alg_values_supported ?? ['RS256']
      const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
        issuer: [server.issuer, ...also],
        algorithms: offered.filter((algorithm) => asymmetric.includes(algorithm)),
        currentDate: now(),
        requiredClaims: ['exp'],
        ...(audiences === null ? {} : { audience: [...audiences] }),
      })
      if (accessToken !== null) checkAccessToken(payload, protectedHeader.alg, accessToken)
      return payload
    },
    forget: (issuer) => void remembered.delete(issuer),
  }
}

function remoteKeys(jwksUri: string, outbound: Outbound): Keys {
  return createRemoteJWKSet(new URL(jwksUri), {
    cacheMaxAge: keysRememberedMs,
    [joseFetch]: (url, { headers, signal }) => outbound(url, { headers: Object.fromEntries(headers), signal }),
  })
}

/** OpenID Connect Core §3.1.3.6: `at_hash` is the left half of the access token's hash. */
function checkAccessToken(claims: JWTPayload, algorithm: string, accessToken: string): void {
  const { at_hash: expected } = claims
  if (typeof expected !== 'string') return
  const hash = algorithm === 'EdDSA' ? 'sha512' : `sha${algorithm.slice(2)}`
  const digest = createHash(hash).update(accessToken).digest()
  const actual = digest.subarray(0, digest.length / 2).toString('base64url')
  if (!equalInConstantTime(actual, expected)) throw new Error('at_hash is not the hash of the access token.')
}

/** The issuer that a token claims, unverified; empty when it is no token. */
export function claimedIssuer(idToken: string): string {
  try {
    const claims: unknown = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
    const { iss } = (claims ?? {}) as { readonly iss?: unknown }
    return typeof iss === 'string' ? iss : ''
  } catch {
    return ''
  }
}
