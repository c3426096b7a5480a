import type { Header } from '../render/guc.ts'

export interface CorsQuestion {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Empty for any origin. */
  readonly allowedOrigins: readonly string[]
  /** Besides the contract's own. */
  readonly exposedHeaders: readonly string[]
}

const exposed = [
  'Content-Encoding',
  'Content-Location',
  'Content-Range',
  'Content-Type',
  'Date',
  'Location',
  'Server',
  'Transfer-Encoding',
  'Range-Unit',
] as const

function originHeaders(origin: string, allowed: readonly string[]): readonly Header[] | null {
  if (allowed.length === 0) return [['access-control-allow-origin', '*']]
  if (!allowed.includes(origin)) return null
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['vary', 'Origin'],
  ]
}

/** Whether a request is a browser asking whether it may send another. */
export const isPreflight = ({ method, headers }: CorsQuestion): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** The CORS headers of an answer (rest §16); none where there is no origin, or it is not on the list. */
export function corsHeaders(question: CorsQuestion): readonly Header[] {
  const { origin } = question.headers
  if (origin === undefined) return []
  const allowed = originHeaders(origin, question.allowedOrigins)
  if (allowed === null) return []
  if (!isPreflight(question)) {
    return [...allowed, ['access-control-expose-headers', [...exposed, ...question.exposedHeaders].join(', ')]]
  }
  const asked = (question.headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
  const names = ['Authorization', ...asked, 'Accept', 'Accept-Language', 'Content-Language']
  const unique = new Map(names.map((name) => [name.toLowerCase(), name]))
  return [
    ...allowed,
    ['access-control-allow-methods', 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD'],
    ['access-control-allow-headers', [...unique.values()].join(', ')],
    ['access-control-max-age', '86400'],
  ]
}
