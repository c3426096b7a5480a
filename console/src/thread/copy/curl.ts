import type { Instance, RequestDetail } from '../../lib/api/schemas.ts'
import { bodyOfRows } from './request-body.ts'

/** A text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const withBody = new Set(['POST', 'PATCH', 'PUT'])

/**
 * A request as a command of curl. What was not kept stands as a variable of the shell: the token, and a body that no row
 * tells.
 */
export function renderCurl(detail: RequestDetail, { apiUrl, publishableKey }: Instance): string {
  const { method, path, query, role } = detail.request
  const body = bodyOfRows(detail)
  const parts = [
    `curl ${quoted(`${apiUrl}${path}${query === '' ? '' : `?${query}`}`)}`,
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : [`-X ${method}`]),
    `-H ${role === 'service_role' ? `"apikey: $SECRET_KEY"` : quoted(`apikey: ${publishableKey}`)}`,
    ...(role === 'anon' || role === 'service_role' || role === '' ? [] : ['-H "authorization: Bearer $ACCESS_TOKEN"']),
    ...(withBody.has(method)
      ? ["-H 'content-type: application/json'", `--data ${body === null ? '"$BODY"' : quoted(JSON.stringify(body))}`]
      : []),
  ]
  return parts.join(' \\\n  ')
}
