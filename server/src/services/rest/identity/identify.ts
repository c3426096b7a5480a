import { LRUCache } from 'lru-cache'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Caller, Claims, Identity } from '../../../ground/model/caller.ts'
import { tokenError } from '../error-response/error-response.ts'
import { restError } from '../errors.ts'
import { findRole, parseRolePath, type RolePath } from '../setting-values/role-path.ts'
import type { RestSettings } from '../settings.ts'
import { checkClaims } from './claims.ts'
import { readTokenKeys } from './secret.ts'
import { verifyToken } from './token.ts'

/** Finds the caller of a request. @throws PGRST300, 301, 302, 303 */
export type Identify = (identity: Identity, authorization: string | undefined) => Caller

export interface IdentifyDeps {
  readonly settings: Pick<
    RestSettings,
    'anonRole' | 'jwtAud' | 'jwtCacheMaxEntries' | 'jwtRoleClaimKey' | 'jwtSecret' | 'jwtSecretIsBase64'
  >
  /** True where no gateway stands before, so that tokens are checked here. */
  readonly alone: boolean
  readonly now: () => Date
}

const byRole: RolePath = parseRolePath('$.role') ?? { path: { from: 'root', segments: [] }, former: null }

/** The token of `Bearer …`; null for another scheme (rest §13). */
function tokenOf(authorization: string | undefined): string | null {
  const found = /^bearer(?: +(.*))?$/i.exec(authorization ?? '')
  return found === null ? null : (found[1] ?? '').trim()
}

const refuseAnonymous = (): Error => restError('PGRST302', { headers: { 'WWW-Authenticate': 'Bearer' } })

const uuidOf = (claim: unknown): string | null => (typeof claim === 'string' && isUuid(claim) ? claim : null)

/** The caller of these claims, whose `role` becomes the caller's own: the anonymous one where they name none. */
function callerOf(claims: Claims, path: RolePath, anonymous: string | null): Caller {
  const role = findRole(claims, path) ?? anonymous
  if (role === null) throw refuseAnonymous()
  const withRole = { ...claims, role }
  return {
    role,
    claims: withRole,
    claimsJson: JSON.stringify(withRole),
    userId: uuidOf(claims.sub),
    authSessionId: uuidOf(claims.session_id),
  }
}

/** A token whose signature was good: its caller, and the claims that are checked against the clock each time. */
interface VerifiedToken {
  readonly caller: Caller
  readonly claims: Claims
}

/**
 * The caller is the one that the gateway found, with the configured audience and role claim, else the one that a token
 * signed with the configured secret names.
 *
 * @throws SecretProblem for a secret that cannot be used
 */
export function createIdentify({ settings, alone, now }: IdentifyDeps): Identify {
  const { anonRole: anonymous, jwtAud: audience, jwtCacheMaxEntries: size } = settings
  const keys = readTokenKeys(settings)
  const path = parseRolePath(settings.jwtRoleClaimKey) ?? byRole
  const isPlain = settings.jwtRoleClaimKey === '$.role'
  const verified = size > 0 ? new LRUCache<string, VerifiedToken>({ max: size }) : null

  const byToken = (token: string): Caller => {
    const before = verified?.get(token)
    const claims = before?.claims ?? verifyToken(token, keys)
    checkClaims(claims, now(), audience)
    if (before !== undefined) return before.caller
    const caller = callerOf(claims, path, anonymous)
    verified?.set(token, { caller, claims })
    return caller
  }

  const withoutToken = anonymous === null ? null : callerOf({}, byRole, anonymous)
  const byHeader = (authorization: string | undefined): Caller => {
    const token = tokenOf(authorization)
    if (token !== null) return byToken(token)
    if (withoutToken === null) throw refuseAnonymous()
    return withoutToken
  }

  if (alone) return (_identity, authorization) => byHeader(authorization)
  return (identity, authorization) => {
    if (identity.kind === 'no_key') throw refuseAnonymous()
    if (identity.kind === 'refused') {
      const { problem } = identity
      if ('claims' in problem && problem.claims !== undefined) {
        // Only its times were refused, with less leeway than rest §13 gives.
        checkClaims(problem.claims, now(), audience)
        return callerOf(problem.claims, path, anonymous)
      }
      const token = tokenOf(authorization)
      if (keys !== null && token !== null) return byToken(token)
      throw tokenError(problem)
    }
    const { caller, token } = identity
    if (token === null || (audience === null && isPlain)) return caller
    checkClaims(caller.claims, now(), audience)
    return isPlain ? caller : callerOf(caller.claims, path, anonymous)
  }
}
