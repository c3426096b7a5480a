import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Caller, Claims, Identity } from '../../../ground/model/caller.ts'
import { tokenError } from '../error-response/error-response.ts'
import { restError } from '../errors.ts'
import { Lru } from '../lru.ts'
import { findRole, parseRolePath, type RolePath } from '../setting-values/role-path.ts'
import type { RestSettings } from '../settings.ts'
import { checkClaims } from './claims.ts'
import { readTokenKeys } from './secret.ts'
import { verifyToken } from './token.ts'

/** Says who asks. @throws PGRST300, 301, 302, 303 */
export type Identify = (identity: Identity, authorization: string | undefined) => Caller

export interface IdentifyDeps {
  readonly settings: Pick<
    RestSettings,
    'anonRole' | 'jwtAud' | 'jwtCacheMaxEntries' | 'jwtRoleClaimKey' | 'jwtSecret' | 'jwtSecretIsBase64'
  >
  /** Whether tokens are checked here alone, as no gateway stands before. */
  readonly alone: boolean
  readonly now: () => Date
}

const byRole: RolePath = parseRolePath('$.role') ?? { path: { from: 'root', segments: [] }, former: null }

/** The token of `Bearer …`; another scheme is none (rest §13). */
function tokenOf(authorization: string | undefined): string | null {
  const found = /^bearer(?: +(.*))?$/i.exec(authorization ?? '')
  return found === null ? null : (found[1] ?? '').trim()
}

const refuseAnonymous = (): Error => restError('PGRST302', { headers: { 'WWW-Authenticate': 'Bearer' } })

const uuidOf = (claim: unknown): string | null => (typeof claim === 'string' && isUuid(claim) ? claim : null)

/** A caller by claims, which say the role even when it is the anonymous one. */
function callerOf(claims: Claims, path: RolePath, anonymous: string | null): Caller {
  const role = findRole(claims, path) ?? anonymous
  if (role === null) throw refuseAnonymous()
  const told = { ...claims, role }
  return {
    role,
    claims: told,
    claimsJson: JSON.stringify(told),
    userId: uuidOf(claims.sub),
    authSessionId: uuidOf(claims.session_id),
  }
}

/** A checked token: the caller it names, and the claims that time may turn against it. */
interface Known {
  readonly caller: Caller
  readonly claims: Claims
}

/**
 * Makes what finds the caller: the gateway's word where it has one, with the audience and the place of the role as they
 * are configured, else the token by the configured secret.
 *
 * @throws SecretProblem for a secret that cannot be used
 */
export function createIdentify({ settings, alone, now }: IdentifyDeps): Identify {
  const { anonRole: anonymous, jwtAud: audience, jwtCacheMaxEntries: size } = settings
  const keys = readTokenKeys(settings)
  const path = parseRolePath(settings.jwtRoleClaimKey) ?? byRole
  const isPlain = settings.jwtRoleClaimKey === '$.role'
  const known = new Lru<Known>(size)

  const byToken = (token: string): Caller => {
    const before = known.get(token)
    const claims = before?.claims ?? verifyToken(token, keys)
    checkClaims(claims, now(), audience)
    if (before !== undefined) return before.caller
    const caller = callerOf(claims, path, anonymous)
    if (size > 0) known.set(token, { caller, claims })
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
        // Times alone speak against it, and those with less leeway than this contract's.
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
