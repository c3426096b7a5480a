import { isLoopbackName } from '../../ground/http/origins.ts'

/** Whether a request may name a host: the text of its `Host` header, with or without a port. */
export type HostCheck = (host: string) => boolean

// One entry for each spelling a client uses; an attacker's many are not kept.
const rememberedHosts = 100

/**
 * Takes requests to this machine by its own names, and to those that the settings tell. A page on the internet can make
 * any name of its own mean 127.0.0.1 (DNS rebinding); the browser then takes this server for that page's own origin, and
 * only the name that it asks for tells the difference.
 *
 * @param known host names without a port
 */
export function createHostCheck(known: readonly string[]): HostCheck {
  const names = new Set(known.map((name) => name.toLowerCase()))
  const passed = new Set<string>()
  return (host) => {
    if (passed.has(host)) return true
    const name = host.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase()
    if (!isLoopbackName(name) && !names.has(name)) return false
    if (passed.size < rememberedHosts) passed.add(host)
    return true
  }
}
