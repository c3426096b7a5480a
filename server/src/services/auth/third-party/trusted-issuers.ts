import { createOutbound, type Outbound, type OutboundOptions } from '../../../engines/outbound/index.ts'
import { importPublicKeys, type VerifyingKey } from '../../../ground/jwt/keys.ts'
import type { TrustedIssuers } from '../../../ground/jwt/verify.ts'
import { isOwnName } from '../hooks/target.ts'
import type { AuthLog } from '../model/log.ts'
import { discoveryUrl } from './issuer.ts'
import type { ThirdPartySettings } from './settings.ts'

export interface TrustedIssuersDeps {
  readonly settings: ThirdPartySettings & { readonly jwtAdminRoles: readonly string[] }
  readonly now: () => Date
  readonly log: AuthLog
}

/** Issuers whose keys are fetched beside the requests: none of those waits for it. */
export interface FetchedIssuers extends TrustedIssuers {
  /** Asks every issuer for its keys once; resolves when all have answered or failed. */
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

const maxKeys = 100
/** The lifetime that issuers name for such keys in caches. */
const refreshEveryMs = 10 * 60_000
/** A token may name a key that is not known yet, and anybody can make one up. */
const askAgainAfterMs = 30_000
/** Keys of an issuer that cannot be reached go on verifying for so long. */
const keptForMs = 24 * 3_600_000

interface KnownKeys {
  readonly keys: readonly VerifyingKey[]
  readonly fetchedAt: number
}

/**
 * The issuers of the settings. For an unknown key its issuer is requested again, at most every
 * half minute: the token that named it is rejected, and accepted when it comes again.
 */
export function createTrustedIssuers({ settings, now, log }: TrustedIssuersDeps): FetchedIssuers {
  const trusted = new Set(settings.thirdPartyIssuers)
  const known = new Map<string, KnownKeys>()
  const askedAt = new Map<string, number>()
  const at = (): number => now().getTime()
  const limits = { timeoutMs: settings.thirdPartyTimeoutSeconds * 1000, maxBytes: settings.maxThirdPartyAnswerBytes }

  const refreshOne = async (issuer: string): Promise<void> => {
    askedAt.set(issuer, at())
    try {
      known.set(issuer, { keys: await fetchKeys(issuer, limits), fetchedAt: at() })
    } catch (error) {
      log.warn({ err: error, issuer }, 'auth: the keys of an issuer could not be fetched')
    }
  }
  const refresh = async (): Promise<void> => {
    await Promise.all([...trusted].map(refreshOne))
  }
  const timer = trusted.size === 0 ? null : setInterval(() => void refresh(), refreshEveryMs).unref()

  return {
    refresh,
    keysOf(issuer, kid) {
      if (!trusted.has(issuer)) return undefined
      const { keys = [], fetchedAt = 0 } = known.get(issuer) ?? {}
      const good = at() - fetchedAt > keptForMs ? [] : keys
      const mayAsk = at() - (askedAt.get(issuer) ?? 0) > askAgainAfterMs
      if (mayAsk && kid !== null && !good.some((key) => key.kid === kid)) void refreshOne(issuer)
      return good
    },
    findBadClaim: (claims) => findBadClaim(claims, settings),
    async close() {
      if (timer !== null) clearInterval(timer)
    },
  }
}

/** What a token of another issuer may not say: that it has no end, that it is for others, or that it is an administrator. */
function findBadClaim(
  claims: Readonly<Record<string, unknown>>,
  { thirdPartyAudiences, jwtAdminRoles }: TrustedIssuersDeps['settings'],
): string | null {
  if (typeof claims.exp !== 'number') return 'exp'
  if (typeof claims.sub !== 'string' || claims.sub === '') return 'sub'
  if (claims.role !== undefined && (typeof claims.role !== 'string' || jwtAdminRoles.includes(claims.role)))
    return 'role'
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
  const isForUs = thirdPartyAudiences.length === 0 || audiences.some((one) => thirdPartyAudiences.includes(one))
  return isForUs ? null : 'aud'
}

async function fetchKeys(
  issuer: string,
  limits: Pick<OutboundOptions, 'timeoutMs' | 'maxBytes'>,
): Promise<readonly VerifyingKey[]> {
  const reach = isOwnName(new URL(issuer).hostname) ? 'anywhere' : 'public'
  const outbound = createOutbound({ reach, ...limits })
  const described = await fetchObject(outbound, discoveryUrl(issuer))
  if (described.issuer !== issuer) throw new Error(`It calls itself ${String(described.issuer)}.`)
  if (typeof described.jwks_uri !== 'string') throw new Error('It names no jwks_uri.')
  const keys = importPublicKeys(await fetchObject(outbound, described.jwks_uri))
  if (keys.length > maxKeys) throw new Error(`It has ${keys.length} keys; ${maxKeys} are read at most.`)
  // Without a name a key could stand in for any other.
  return keys.filter((key) => key.kid !== null)
}

async function fetchObject(outbound: Outbound, url: string): Promise<Readonly<Record<string, unknown>>> {
  const response = await outbound(url, { headers: { accept: 'application/json' } })
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`)
  const value: unknown = await response.json()
  if (typeof value !== 'object' || value === null) throw new Error(`${url} answered no object.`)
  return { ...value }
}
