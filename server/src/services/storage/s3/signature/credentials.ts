import { s3Error } from '../errors.ts'
import { parseQuery } from './encode.ts'
import { headerValues, type SignedRequest } from './request.ts'
import { algorithm, parseAmzDate, type Scope } from './sign.ts'

/** Where a signature is, and how long it is good for. */
export type SignaturePlace =
  | { readonly kind: 'header' }
  | { readonly kind: 'query'; readonly expiresSeconds: number }
  | { readonly kind: 'form' }

/** What a request says of its signature; nothing of it is verified. */
export interface Credentials {
  readonly place: SignaturePlace
  readonly accessKeyId: string
  readonly scope: Scope
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly amzDate: string
  readonly signedAt: Date
  readonly signedHeaders: readonly string[]
  readonly signature: string
  readonly sessionToken: string | null
  /** What the canonical request ends with: a digest in hexadecimal, or a word such as `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string
}

export const unsignedPayload = 'UNSIGNED-PAYLOAD'
const longestExpirySeconds = 604_800

/**
 * Reads the signature of a request, from its `Authorization` header or its query (storage §10).
 *
 * @throws AccessDenied without one; AuthorizationHeaderMalformed, AuthorizationQueryParametersError
 */
export function parseCredentials(request: SignedRequest): Credentials {
  const headers = headerValues(request.rawHeaders)
  const authorization = headers.get('authorization')
  const query = new Map(parseQuery(request.query))
  if (query.has('X-Amz-Signature')) return parsePresigned(query, headers)
  if (authorization?.startsWith(`${algorithm} `)) return parseHeader(authorization, headers)
  if (authorization?.startsWith('AWS ') || query.has('Signature'))
    throw s3Error('AuthorizationHeaderMalformed', { message: 'Please use AWS4-HMAC-SHA256.' })
  throw s3Error('AccessDenied', { message: 'Missing signature' })
}

function parseHeader(authorization: string, headers: ReadonlyMap<string, string>): Credentials {
  const fields = new Map(
    authorization
      .slice(algorithm.length)
      .split(',')
      .map((field) => field.trim())
      .map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
  )
  const amzDate = headers.get('x-amz-date') ?? ''
  const credentials = parseFields({
    credential: fields.get('Credential'),
    amzDate,
    signedHeaders: fields.get('SignedHeaders'),
    signature: fields.get('Signature'),
  })
  const payloadHash = headers.get('x-amz-content-sha256')
  if (credentials === null || payloadHash === undefined) throw s3Error('AuthorizationHeaderMalformed')
  return {
    ...credentials,
    place: { kind: 'header' },
    sessionToken: headers.get('x-amz-security-token') ?? null,
    payloadHash,
  }
}

function parsePresigned(query: ReadonlyMap<string, string>, headers: ReadonlyMap<string, string>): Credentials {
  const credentials = parseFields({
    credential: query.get('X-Amz-Credential'),
    amzDate: query.get('X-Amz-Date'),
    signedHeaders: query.get('X-Amz-SignedHeaders'),
    signature: query.get('X-Amz-Signature'),
  })
  const expiresSeconds = Number(query.get('X-Amz-Expires'))
  const isExpiry = Number.isInteger(expiresSeconds) && expiresSeconds >= 1 && expiresSeconds <= longestExpirySeconds
  if (credentials === null || query.get('X-Amz-Algorithm') !== algorithm || !isExpiry)
    throw s3Error('AuthorizationQueryParametersError')
  return {
    ...credentials,
    place: { kind: 'query', expiresSeconds },
    sessionToken: query.get('X-Amz-Security-Token') ?? null,
    payloadHash: query.get('X-Amz-Content-Sha256') ?? headers.get('x-amz-content-sha256') ?? unsignedPayload,
  }
}

interface Fields {
  readonly credential: string | undefined
  readonly amzDate: string | undefined
  readonly signedHeaders: string | undefined
  readonly signature: string | undefined
}

/** The parts that every place has; null where one is missing or malformed. */
export function parseFields({
  credential = '',
  amzDate = '',
  signedHeaders = '',
  signature = '',
}: Fields): Omit<Credentials, 'place' | 'sessionToken' | 'payloadHash'> | null {
  // From the end: an access key may contain a slash.
  const parts = /^(.+)\/(\d{8})\/([^/]*)\/([^/]+)\/aws4_request$/.exec(credential)
  const signedAt = parseAmzDate(amzDate)
  if (parts === null || signedAt === null || !/^[0-9a-f]{64}$/.test(signature)) return null
  const [, accessKeyId = '', date = '', region = '', service = ''] = parts
  if (service !== 's3' || !amzDate.startsWith(date)) return null
  const scope = { date, region, service }
  return { accessKeyId, scope, amzDate, signedAt, signedHeaders: signedHeaders.split(';'), signature }
}
