import type { IncomingHttpHeaders } from 'node:http'

/** What a client has asked, as this server sees it. */
interface Asked {
  readonly protocol: string
  readonly host: string
  readonly headers: IncomingHttpHeaders
}

const hostForm = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
const prefixForm = /^(?:\/[\w.~-]+)+$/

/**
 * The address of a path for the client: at the configured address of the API, or at the one that a proxy says it was asked
 * for. A client that names another misleads only itself.
 *
 * @param path as this server serves it, `/storage/v1/upload/resumable`
 * @param publicUrl the configured address of the API; null where there is none
 */
export function locationOf({ protocol, host, headers }: Asked, path: string, publicUrl: URL | null): string {
  if (publicUrl !== null) return `${publicUrl.origin}${publicUrl.pathname.replace(/\/+$/, '')}${path}`
  const proto = firstOf(headers['x-forwarded-proto'])
  const scheme = proto === 'https' || proto === 'http' ? proto : protocol
  return `${scheme}://${hostOf(host, headers)}${prefixOf(headers, path)}${path}`
}

function hostOf(host: string, headers: IncomingHttpHeaders): string {
  const forwarded = firstOf(headers['x-forwarded-host'])
  if (!hostForm.test(forwarded)) return host
  const port = firstOf(headers['x-forwarded-port'])
  if (!/^\d{1,5}$/.test(port) || port === '80' || port === '443') return forwarded
  return `${forwarded.replace(/:\d+$/, '')}:${port}`
}

/** What a proxy took from the beginning of the path, unless the path has it. */
function prefixOf(headers: IncomingHttpHeaders, path: string): string {
  const prefix = firstOf(headers['x-forwarded-prefix']).replace(/\/+$/, '')
  return prefixForm.test(prefix) && !path.startsWith(`${prefix}/`) ? prefix : ''
}

/** The first of several proxies' values. */
const firstOf = (header: string | string[] | undefined): string => (String(header ?? '').split(',', 1)[0] ?? '').trim()
