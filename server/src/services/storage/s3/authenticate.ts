import type { TokenVerifier } from '../../../ground/jwt/verify.ts'
import { describeTokenProblem, type StorageCaller, serviceCaller } from '../http/caller.ts'
import type { SeedSignature } from './chunked/chunk-signatures.ts'
import { s3Error } from './errors.ts'
import type { S3AccessKey } from './keys.ts'
import type { Credentials } from './signature/credentials.ts'
import type { SignedFor, SignedRequest } from './signature/request.ts'
import { verifyRequest } from './signature/verify.ts'

/** The keys that requests may be signed with. */
export interface S3Keys {
  /** The server's own as they are now, which act as the service role. */
  readonly accessKeys: () => readonly S3AccessKey[]
  /** Secrets of requests with a session token: the project's public keys. */
  readonly publicKeys: () => readonly string[]
  readonly verify: TokenVerifier
}

/** A signer that the keys know; the signature itself is not verified. */
export interface Signer {
  readonly caller: StorageCaller
  /** One of them is the signer's. */
  readonly secrets: readonly string[]
}

/**
 * The signer that credentials name: the server's own access key, or the user of a session token (storage §10).
 *
 * @throws InvalidAccessKeyId, AccessDenied for a session token that is not accepted
 */
export function findSigner({ accessKeyId, sessionToken }: Credentials, keys: S3Keys): Signer {
  if (sessionToken === null) {
    const accessKey = keys.accessKeys().find((each) => each.accessKeyId === accessKeyId)
    if (accessKey === undefined) throw s3Error('InvalidAccessKeyId')
    return { caller: serviceCaller, secrets: [accessKey.secretAccessKey] }
  }
  const verdict = keys.verify(sessionToken)
  if (verdict.kind === 'refused') throw s3Error('AccessDenied', { message: describeTokenProblem(verdict.problem) })
  const { claims, claimsJson } = verdict
  const { role, sub } = claims
  if (typeof role !== 'string') throw s3Error('AccessDenied', { message: 'The session token has no role' })
  const subject = typeof sub === 'string' && sub !== '' ? sub : null
  return { caller: { role, claimsJson, token: sessionToken, subject }, secrets: keys.publicKeys() }
}

/**
 * Verifies a request's signature.
 *
 * @returns what its chunks continue
 * @throws as `verifyRequest`
 */
export function verifySigner(
  request: SignedRequest,
  credentials: Credentials,
  { secrets }: Signer,
  signedFor: SignedFor,
  now: Date,
): SeedSignature {
  const [secret = '', ...others] = secrets
  try {
    const key = verifyRequest(request, credentials, secret, signedFor, now)
    return { key, amzDate: credentials.amzDate, scope: credentials.scope, signature: credentials.signature }
  } catch (error) {
    if (others.length === 0) throw error
    return verifySigner(request, credentials, { caller: serviceCaller, secrets: others }, signedFor, now)
  }
}
