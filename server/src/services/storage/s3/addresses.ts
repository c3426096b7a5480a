import type { SignedFor } from './signature/request.ts'

/**
 * The addresses that a client may have signed for: the one this server sees, the one a proxy says that it was asked for,
 * and the public one of the settings. Naming one grants nothing: the signature must fit it.
 *
 * @param publicUrl the API's address for clients
 */
export function signedForOf(headers: Readonly<Record<string, string | undefined>>, publicUrl: URL | null): SignedFor {
  const { host = '', 'x-forwarded-host': forwardedHost, 'x-forwarded-port': port } = headers
  const hosts = [host, publicUrl?.host, ...(forwardedHost?.split(',', 1) ?? [])].flatMap((each) => {
    const name = each?.trim() ?? ''
    if (name === '') return []
    // Clients sign a default port or leave it out, as they like.
    const bare = name.replace(/:(?:80|443)$/, '')
    return [name, bare, ...(port === undefined ? [] : [`${bare}:${port}`])]
  })
  const prefixes = [publicUrl?.pathname, headers['x-forwarded-prefix']].flatMap(
    (each) => each?.replace(/\/+$/, '') || [],
  )
  return { hosts: [...new Set(hosts)].slice(0, 8), prefixes: [...new Set(['', ...prefixes])].slice(0, 3) }
}
