/** Origins that may read an answer: any, without credentials; the requesting one, with credentials; or those listed. */
export type AllowedOrigins = 'any' | 'requesting' | readonly string[]

/** Headers by their names, in lower case. */
export type CorsHeaders = Readonly<Record<string, string>>

/**
 * The headers that let a browser's page read an answer (https://fetch.spec.whatwg.org/#http-cors-protocol).
 *
 * @param origin the request's `Origin`
 * @returns      null where that origin may not read it
 */
export function originHeaders(allowed: AllowedOrigins, origin: string): CorsHeaders | null {
  if (allowed === 'any') return { 'access-control-allow-origin': '*' }
  if (allowed !== 'requesting' && !allowed.includes(origin)) return null
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' }
}

/** The headers of an answer that a page may read besides the safelisted ones. */
export const exposedHeaders = (names: readonly string[]): CorsHeaders => ({
  'access-control-expose-headers': names.join(', '),
})

/** The headers of the answer to a preflight. */
export interface PreflightAnswer {
  readonly methods: string
  /** Header names; null to name none. */
  readonly headers: string | null
  /** How long a browser may remember it; null for the browser's own time. */
  readonly maxAgeSeconds: number | null
}

/** The headers that answer a preflight, besides those of the origin. */
export const preflightHeaders = ({ methods, headers, maxAgeSeconds }: PreflightAnswer): CorsHeaders => ({
  'access-control-allow-methods': methods,
  ...(headers === null ? {} : { 'access-control-allow-headers': headers }),
  ...(maxAgeSeconds === null ? {} : { 'access-control-max-age': String(maxAgeSeconds) }),
})

/** The usual time for which a browser remembers a preflight's answer. */
export const dayInSeconds = 86_400

/** The parts of a request that decide whether it is a preflight. */
export interface PreflightQuestion {
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Whether a browser asks with this request whether it may send another. */
export const isPreflight = ({ method, headers }: PreflightQuestion): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** The names in `Access-Control-Request-Headers`; what is no header name is left out. */
export const requestedHeaders = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
