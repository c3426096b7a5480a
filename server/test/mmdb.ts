import { isIPv4 } from 'node:net'

/** What stands under a network in a database of places. */
export type MmdbValue = string | number | readonly MmdbValue[] | { readonly [name: string]: MmdbValue }

/** A network, as `203.0.113.0/24` or `2001:db8::/32` (its groups written out up to `::`), and its record. */
export type MmdbNetwork = readonly [network: string, record: MmdbValue]

interface Node {
  readonly children: [Node | number | null, Node | number | null]
}

/** A database in MaxMind's format 2.0 for IPv4 and IPv6, with records of 24 bits. */
export function mmdbFile(networks: readonly MmdbNetwork[]): Buffer {
  const root: Node = { children: [null, null] }
  const records = networks.map(([, record]) => encode(record))
  for (const [index, [network]] of networks.entries()) insert(root, bitsOf(network), index)
  const nodes = [root]
  for (const { children } of nodes)
    for (const child of children) if (typeof child === 'object' && child !== null) nodes.push(child)
  const numbers = new Map(nodes.map((node, number) => [node, number]))
  let at = 0
  const offsets = records.map((record) => {
    const offset = at
    at += record.length
    return offset
  })
  const tree = Buffer.alloc(nodes.length * 6)
  nodes.forEach(({ children }, number) => {
    children.forEach((child, side) => {
      const value =
        child === null
          ? nodes.length
          : typeof child === 'number'
            ? nodes.length + 16 + (offsets[child] ?? 0)
            : numbers.get(child)
      tree.writeUIntBE(value ?? 0, number * 6 + side * 3, 3)
    })
  })
  const metadata = encode({
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0, build_epoch: 1_700_000_000 },
    ...{ database_type: 'Test-City', description: { en: 'of a test' }, ip_version: 6, languages: ['en'] },
    ...{ node_count: nodes.length, record_size: 24 },
  })
  return Buffer.concat([tree, Buffer.alloc(16), ...records, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), metadata])
}

function insert(root: Node, bits: string, index: number): void {
  let node = root
  for (const bit of bits.slice(0, -1)) {
    const side = bit === '1' ? 1 : 0
    const next = node.children[side]
    if (typeof next === 'object' && next !== null) node = next
    else {
      const made: Node = { children: [null, null] }
      node.children[side] = made
      node = made
    }
  }
  node.children[bits.endsWith('1') ? 1 : 0] = index
}

/** IPv4 stands in the first 32 bits behind 96 zeros. */
function bitsOf(network: string): string {
  const [address = '', length] = network.split('/')
  if (isIPv4(address)) {
    const bits = address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
    return `${'0'.repeat(96)}${bits.join('')}`.slice(0, 96 + Number(length))
  }
  const groups = address.split('::')[0]?.split(':') ?? []
  const bits = groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
  return bits.padEnd(128, '0').slice(0, Number(length))
}

const types = { text: 2, double: 3, uint32: 6, map: 7, array: 11 } as const

function control(type: number, size: number): Buffer {
  if (size > 284) throw new Error('The writer has no such long values.')
  const extended = type > 7 ? [type - 7] : []
  const [low, more] = size < 29 ? [size, []] : [29, [size - 29]]
  return Buffer.from([((type > 7 ? 0 : type) << 5) | low, ...extended, ...more])
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([control(types.text, text.length), text])
  }
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value) && value >= 0
    const bytes = Buffer.alloc(isWhole ? 4 : 8)
    if (isWhole) bytes.writeUInt32BE(value)
    else bytes.writeDoubleBE(value)
    return Buffer.concat([control(isWhole ? types.uint32 : types.double, bytes.length), bytes])
  }
  if (isList(value)) return Buffer.concat([control(types.array, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([
    control(types.map, entries.length),
    ...entries.flatMap(([name, each]) => [encode(name), encode(each)]),
  ])
}

const isList = (value: MmdbValue): value is readonly MmdbValue[] => Array.isArray(value)

/** Lisbon, as the databases with cities have it. */
export const lisbon = {
  city: { names: { en: 'Lisbon' } },
  country: { iso_code: 'PT', names: { en: 'Portugal' } },
  continent: { code: 'EU', names: { en: 'Europe' } },
  location: { latitude: 38.7057, longitude: -9.1359, accuracy_radius: 20, time_zone: 'Europe/Lisbon' },
  postal: { code: '1000-139' },
  subdivisions: [{ iso_code: '11', names: { en: 'Lisbon District' } }],
}

/** A record that knows a country alone. */
export const japan = { country: { iso_code: 'JP', names: { en: 'Japan' } } }
