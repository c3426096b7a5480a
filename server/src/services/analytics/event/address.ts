import { isIPv4, isIPv6 } from 'node:net'

/** An address without what names one connection: IPv4 to 24 bits, IPv6 to 48; null for what is no address. */
export function shortenAddress(address: string): string | null {
  if (isIPv4(address)) return address.replace(/\d+$/, '0')
  if (!isIPv6(address)) return null
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return shortenAddress(mapped)
  const [before = '', after] = address.split('%')[0]?.split('::') ?? []
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? [] : new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const shortened = `${[...head, ...zeros, ...tail].slice(0, 3).join(':')}::`
  return isIPv6(shortened) ? shortened : null
}
