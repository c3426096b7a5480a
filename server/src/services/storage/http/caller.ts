import type { Caller, Identity, TokenProblem } from '../../../ground/model/caller.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import { storageError } from '../errors.ts'

/** The role, and what policies see of the token. */
export interface StorageCaller {
  readonly role: string
  /** JSON text of the claims. */
  readonly claimsJson: string
  /** The token as sent; empty where a key that is no token named the role. */
  readonly token: string
  /** `sub`, the owner of what is created; null without one. */
  readonly subject: string | null
}

/** A request to the service: its record, its caller and the name of its operation for `storage.operation()`. */
export interface StorageRequest {
  readonly context: RequestContext
  /** Null where a route needs no token and none was sent, or none that counts. */
  readonly caller: StorageCaller | null
  readonly operation: string
}

/** The service itself, past row-level security. */
export const serviceCaller: StorageCaller = {
  role: 'service_role',
  claimsJson: JSON.stringify({ role: 'service_role' }),
  token: '',
  subject: null,
}

/** The verifier's words for a token that is refused, as jose has them. */
const problemTexts: Readonly<Record<TokenProblem['kind'], string>> = {
  malformed: 'Invalid Compact JWS',
  empty: 'Invalid Compact JWS',
  unsupported_algorithm: '"alg" (Algorithm) Header Parameter value not allowed',
  unsupported_type: 'Invalid Compact JWS',
  unknown_key: 'signature verification failed',
  bad_signature: 'signature verification failed',
  expired: '"exp" claim timestamp check failed',
  not_yet_valid: '"nbf" claim timestamp check failed',
  issued_in_future: '"iat" claim timestamp check failed (it should be in the past)',
  bad_claims: 'unexpected claim value',
}

/** What is wrong with a token, in a sentence for its sender. */
export const describeTokenProblem = ({ kind }: TokenProblem): string => problemTexts[kind]

/**
 * The caller of a route that needs a bearer token (storage §2). A key in `apikey` alone counts as well.
 *
 * @throws InvalidRequest without either, AccessDenied for a token that is not accepted
 */
export function requireCaller({ identity, headers }: RequestContext): StorageCaller {
  // Gateways of the hosted backend send an empty token where there is none: its clients know the words for that.
  if (headers.authorization === undefined && headers.apikey === undefined)
    throw storageError('InvalidRequest', { message: problemTexts.empty })
  if (identity.kind === 'refused')
    throw storageError('AccessDenied', { message: describeTokenProblem(identity.problem) })
  const caller = callerOf(identity)
  if (caller === null) throw storageError('AccessDenied', { message: 'Invalid API key' })
  return caller
}

/** The caller of a route where none is needed; null for one without a token that counts. */
export const findCaller = ({ identity, headers }: RequestContext): StorageCaller | null =>
  headers.authorization === undefined && headers.apikey === undefined ? null : callerOf(identity)

function callerOf(identity: Identity): StorageCaller | null {
  switch (identity.kind) {
    case 'caller':
      return storageCaller(identity.caller, identity.token)
    case 'no_key':
      return identity.bearer === undefined ? null : storageCaller(identity.bearer, null)
    default:
      return null
  }
}

/** @param token null for a key that is no token */
function storageCaller({ role, claims, claimsJson }: Caller, token: string | null): StorageCaller {
  const { sub } = claims
  return { role, claimsJson, token: token ?? '', subject: typeof sub === 'string' && sub !== '' ? sub : null }
}
