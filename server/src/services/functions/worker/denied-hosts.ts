import ipaddr from 'ipaddr.js'

/** IPv4 networks that are not the public internet (RFC 6890). */
const privateNetworks: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Cloud metadata over IPv6, and this machine. */
const privateAddresses: readonly string[] = ['::', '::1', 'fd00:ec2::254']

interface Range {
  readonly first: number
  readonly bits: number
}

const sizeOf = ({ bits }: Range): number => 2 ** (32 - bits)

function rangeOf(network: string): Range {
  const [address, bits] = ipaddr.IPv4.parseCIDR(network.includes('/') ? network : `${network}/32`)
  const number = address.toByteArray().reduce((sum, byte) => sum * 256 + byte, 0)
  return { first: number - (number % 2 ** (32 - bits)), bits }
}

const textOf = ({ first, bits }: Range): string =>
  `${[24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.')}/${bits}`

const contains = (outer: Range, inner: Range): boolean =>
  inner.bits >= outer.bits && inner.first >= outer.first && inner.first < outer.first + sizeOf(outer)

/** A network without a part of it, in as few networks as that takes. */
function without(range: Range, hole: Range): readonly Range[] {
  if (contains(hole, range)) return []
  if (!contains(range, hole)) return [range]
  const low = { first: range.first, bits: range.bits + 1 }
  const high = { first: range.first + sizeOf(low), bits: range.bits + 1 }
  return [...without(low, hole), ...without(high, hole)]
}

/**
 * What Deno is to deny: every private address but the allowed ones, and addresses of this instance that are not for
 * functions. Deno checks each address that a name resolves to, at the moment of connecting. Its rules know no networks of
 * IPv6, so there only single addresses are denied; `runtime/ipv4-only.ts` refuses the others.
 *
 * @param allowed  private addresses and IPv4 networks
 * @param own      addresses of this machine's interfaces
 * @param ports    of this machine that are never reached, whatever is allowed
 */
export function deniedHosts(
  allowed: readonly string[],
  own: readonly string[],
  ports: readonly number[],
): readonly string[] {
  const isFour = (text: string): boolean => !text.includes(':')
  const holes = allowed.filter(isFour).map(rangeOf)
  const ranges = privateNetworks.map(rangeOf).flatMap((range) => {
    let left: readonly Range[] = [range]
    for (const hole of holes) left = left.flatMap((part) => without(part, hole))
    return left
  })
  const six = [...privateAddresses, ...own.filter((text) => !isFour(text) && !text.includes('%'))]
  const deniedSix = [...new Set(six)].filter((address) => !allowed.includes(address))
  return [
    ...ranges.map(textOf),
    ...deniedSix.map((address) => `[${address}]`),
    ...ports.flatMap((port) => [`127.0.0.0/8:${port}`, `[::1]:${port}`]),
  ]
}
