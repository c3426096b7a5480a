import { createHmac } from 'node:crypto'

/** A call to be signed. */
export interface OAuth1Request {
  readonly method: 'GET' | 'POST'
  /** With its query. */
  readonly url: string
  readonly consumer: { readonly key: string; readonly secret: string }
  readonly token?: { readonly key: string; readonly secret: string }
  /** Further parameters of the protocol (`oauth_callback`, `oauth_verifier`). */
  readonly extra?: Readonly<Record<string, string>>
  readonly nonce: string
  readonly timestampSeconds: number
}

/**
 * The `Authorization` header of an OAuth 1.0a call without a form body, signed with HMAC-SHA1.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5849#section-3.4
 */
export function signOAuth1({ method, url, consumer, token, extra, nonce, timestampSeconds }: OAuth1Request): string {
  const { origin, pathname, searchParams } = new URL(url)
  const protocol: Readonly<Record<string, string>> = {
    oauth_consumer_key: consumer.key,
    oauth_nonce: nonce,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(timestampSeconds),
    oauth_version: '1.0',
    ...(token === undefined ? {} : { oauth_token: token.key }),
    ...extra,
  }
  const parameters = [...searchParams, ...Object.entries(protocol)]
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort(([name, value], [other, otherValue]) => compare(name, other) || compare(value, otherValue))
    .map((pair) => pair.join('='))
    .join('&')
  const base = [method, `${origin}${pathname}`, parameters].map(percentEncode).join('&')
  const key = `${percentEncode(consumer.secret)}&${percentEncode(token?.secret ?? '')}`
  const signature = createHmac('sha1', key).update(base).digest('base64')
  const fields = Object.entries({ ...protocol, oauth_signature: signature })
  return `OAuth ${fields.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ')}`
}

/** RFC 3986 §2.3: all but unreserved characters. */
const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
