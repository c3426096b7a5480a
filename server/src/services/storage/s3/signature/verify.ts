import { equalInConstantTime } from '../../../../ground/ids/constant-time.ts'
import { s3Error } from '../errors.ts'
import type { Credentials } from './credentials.ts'
import { canonicalPath, canonicalQuery, parseQuery } from './encode.ts'
import { headerValues, type SignedFor, type SignedRequest } from './request.ts'
import { signingKey, signText, stringToSign } from './sign.ts'

/** How far a client's clock may be off. */
const skewMs = 15 * 60_000

/**
 * Verifies the signature of a request (Signature Version 4).
 *
 * @returns the key of the signature, which the chunks of a signed body continue with
 * @throws  SignatureDoesNotMatch, AccessDenied, ExpiredToken, RequestTimeTooSkewed
 */
export function verifyRequest(
  request: SignedRequest,
  credentials: Credentials,
  secret: string,
  signedFor: SignedFor,
  now: Date,
): Buffer {
  checkTime(credentials, now)
  const headers = headerValues(request.rawHeaders)
  checkSignedHeaders(credentials, headers)
  const key = signingKey(secret, credentials.scope)
  const candidates = signedFor.hosts.flatMap((host) => signedFor.prefixes.map((prefix) => ({ host, prefix })))
  const matches = candidates.filter(({ host, prefix }) => {
    const canonical = canonicalRequest(request, credentials, new Map(headers).set('host', host), prefix)
    const text = stringToSign(credentials.amzDate, credentials.scope, canonical)
    return equalInConstantTime(signText(key, text), credentials.signature)
  })
  if (matches.length === 0) throw s3Error('SignatureDoesNotMatch')
  return key
}

function canonicalRequest(
  { method, path, query }: SignedRequest,
  { place, signedHeaders, payloadHash }: Credentials,
  headers: ReadonlyMap<string, string>,
  prefix: string,
): string {
  const pairs = parseQuery(query).filter(([name]) => place.kind !== 'query' || name !== 'X-Amz-Signature')
  return [
    method,
    canonicalPath(`${prefix}${path}`),
    canonicalQuery(pairs),
    ...signedHeaders.map((name) => `${name}:${headers.get(name) ?? ''}`),
    '',
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n')
}

/** @throws AccessDenied for a header that changes the request and is not signed */
function checkSignedHeaders({ place, signedHeaders }: Credentials, headers: ReadonlyMap<string, string>): void {
  const signed = new Set(signedHeaders)
  // A presigned URL names the digest in its query, and its client may say it again.
  const free = place.kind === 'query' ? 'x-amz-content-sha256' : null
  const unsigned = [...headers.keys()].filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signed.has(name) && name !== free,
  )
  if (!signed.has('host') || unsigned.length > 0)
    throw s3Error('AccessDenied', {
      message: `There were headers present in the request which were not signed: ${unsigned.join(', ') || 'host'}`,
    })
}

function checkTime({ place, signedAt }: Credentials, now: Date): void {
  const ageMs = now.getTime() - signedAt.getTime()
  if (place.kind !== 'query') {
    if (Math.abs(ageMs) > skewMs) throw s3Error('RequestTimeTooSkewed')
    return
  }
  if (ageMs < -skewMs) throw s3Error('AccessDenied', { message: 'Request is not valid yet' })
  if (ageMs > place.expiresSeconds * 1000) throw s3Error('ExpiredToken')
}
