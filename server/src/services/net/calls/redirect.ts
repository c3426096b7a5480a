/** One request of a call: the first, or that which follows a redirect. */
export interface Hop {
  readonly url: string
  readonly method: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** Any other header may hold a secret. The signature of a webhook holds for its own body alone. */
const keptAcrossOrigins =
  /^(?:accept(?:-\w+)?|cache-control|content-(?:type|encoding|language)|prefer|range|user-agent|webhook-.*)$/

/**
 * The request that follows a response (RFC 9110 §15.4), undefined where it is no redirect. A POST becomes a GET, unless
 * the status keeps the method; another origin is told no header that may be a credential.
 */
export function planRedirect(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  if (!URL.canParse(location, hop.url)) return undefined
  const url = new URL(location, hop.url)
  const isSameOrigin = url.origin === new URL(hop.url).origin
  const becomesGet = (status === 303 && hop.method !== 'GET') || (status < 303 && hop.method === 'POST')
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (isSameOrigin || keptAcrossOrigins.test(name)) && !(becomesGet && name === 'content-type'),
  )
  return {
    url: url.href,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(headers),
    body: becomesGet ? undefined : hop.body,
  }
}
