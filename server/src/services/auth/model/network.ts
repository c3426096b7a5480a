import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Who is counted: an IPv6 address by its first half, for whoever has one of them has them all. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
