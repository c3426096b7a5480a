import { isLoopbackName } from '../../ground/http/origins.ts'

/** Whether a request may name a host: the text of its `Host` header, with or without a port. */
export type HostCheck = (host: string) => boolean

// Enough for every spelling that clients use; further ones are checked each time.
const maxCachedHosts = 100

/**
 * Allows this machine's own names and those of the settings. A page on the internet can make its own host name resolve to
 * 127.0.0.1 (DNS rebinding); the browser then takes this server for the page's own origin, and only the `Host` header
 * tells the difference.
 *
 * @param known host names without a port
 */
export function createHostCheck(known: readonly string[]): HostCheck {
  const names = new Set(known.map((name) => name.toLowerCase()))
  const allowed = new Set<string>()
  return (host) => {
    if (allowed.has(host)) return true
    const name = host.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase()
    if (!isLoopbackName(name) && !names.has(name)) return false
    if (allowed.size < maxCachedHosts) allowed.add(host)
    return true
  }
}
