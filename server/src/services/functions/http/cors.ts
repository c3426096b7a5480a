import {
  type CorsHeaders,
  isPreflight,
  originHeaders,
  type PreflightQuestion,
  preflightHeaders,
  requestedHeaders,
} from '../../../ground/http/cors.ts'
import type { HeaderList } from './headers.ts'

// In local mode pages of all origins that may call the instance may call its functions, as with the gateway of the Supabase
// CLI, in front of which functions of real projects were written. In production they answer for themselves (functions §2).

/** The answer to a preflight, which no function sees; null for other requests. */
export function localPreflight(request: PreflightQuestion): CorsHeaders | null {
  const { origin, 'access-control-request-headers': asked } = request.headers
  if (!isPreflight(request)) return null
  const names = requestedHeaders(typeof asked === 'string' ? asked : undefined)
  return {
    ...originHeaders('any', String(origin)),
    ...preflightHeaders({
      methods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      headers: names.length === 0 ? null : names.join(', '),
      maxAgeSeconds: null,
    }),
  }
}

/** Lets any page read an answer that says nothing of origins; one that names its own is not overwritten. */
export function openToPages(headers: HeaderList): void {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === 'access-control-allow-origin') return
  headers.push('access-control-allow-origin', '*')
}
