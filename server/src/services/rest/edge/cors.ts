import {
  dayInSeconds,
  exposedHeaders,
  isPreflight,
  originHeaders,
  preflightHeaders,
  requestedHeaders,
} from '../../../ground/http/cors.ts'
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

/** The CORS headers of an answer (rest §16); none where there is no origin, or it is not on the list. */
export function corsHeaders(question: CorsQuestion): readonly Header[] {
  const { origin } = question.headers
  if (origin === undefined) return []
  const { allowedOrigins } = question
  const allowed = originHeaders(allowedOrigins.length === 0 ? 'any' : allowedOrigins, origin)
  if (allowed === null) return []
  const rest = isPreflight(question)
    ? preflightHeaders({
        methods: 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
        headers: allowedHeaders(question.headers['access-control-request-headers']),
        maxAgeSeconds: dayInSeconds,
      })
    : exposedHeaders([...exposed, ...question.exposedHeaders])
  return Object.entries({ ...allowed, ...rest })
}

function allowedHeaders(requested: string | undefined): string {
  const names = ['Authorization', ...requestedHeaders(requested), 'Accept', 'Accept-Language', 'Content-Language']
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ')
}
