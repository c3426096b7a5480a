import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The network that limits count: an IPv6 address by its first 64 bits, which one subscriber has for itself. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
