import { crc32 } from 'node:zlib'

/** A cyclic redundancy check that goes on over pieces. */
export interface Crc {
  update(bytes: Uint8Array): void
  /** Big-endian, as checksum headers carry it in Base64. */
  digest(): Buffer
}

/** CRC-32 (ISO HDLC). */
export function createCrc32(): Crc {
  let value = 0
  return {
    update(bytes) {
      value = crc32(bytes, value)
    },
    digest() {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value >>> 0)
      return bytes
    },
  }
}

/** Bytes that a step takes: the tables answer for each place in them (“slicing by 8”). */
const width = 8

/** CRC-32C (Castagnoli, RFC 3720 §12.1). */
export function createCrc32c(): Crc {
  castagnoli ??= tables32(0x82f63b78)
  const [t0, t1, t2, t3, t4, t5, t6, t7] = castagnoli
  let crc = 0xffffffff
  return {
    update(bytes) {
      let index = 0
      for (const end = bytes.length - width; index <= end; index += width) {
        const low = crc ^ word(bytes, index)
        const high = word(bytes, index + 4)
        crc =
          at(t7, low) ^
          at(t6, low >>> 8) ^
          at(t5, low >>> 16) ^
          at(t4, low >>> 24) ^
          at(t3, high) ^
          at(t2, high >>> 8) ^
          at(t1, high >>> 16) ^
          at(t0, high >>> 24)
      }
      for (; index < bytes.length; index += 1) crc = at(t0, crc ^ (bytes[index] ?? 0)) ^ (crc >>> 8)
    },
    digest() {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(~crc >>> 0)
      return bytes
    },
  }
}

/** CRC-64/NVME (NVM Express NVM Command Set Specification, 64b CRC); numbers of 64 bits are two of 32. */
export function createCrc64Nvme(): Crc {
  nvme ??= tables64()
  const [h0, h1, h2, h3, h4, h5, h6, h7] = nvme.high
  const [l0, l1, l2, l3, l4, l5, l6, l7] = nvme.low
  let high = 0xffffffff
  let low = 0xffffffff
  return {
    update(bytes) {
      let index = 0
      for (const end = bytes.length - width; index <= end; index += width) {
        const a = low ^ word(bytes, index)
        const b = high ^ word(bytes, index + 4)
        high =
          at(h7, a) ^
          at(h6, a >>> 8) ^
          at(h5, a >>> 16) ^
          at(h4, a >>> 24) ^
          at(h3, b) ^
          at(h2, b >>> 8) ^
          at(h1, b >>> 16) ^
          at(h0, b >>> 24)
        low =
          at(l7, a) ^
          at(l6, a >>> 8) ^
          at(l5, a >>> 16) ^
          at(l4, a >>> 24) ^
          at(l3, b) ^
          at(l2, b >>> 8) ^
          at(l1, b >>> 16) ^
          at(l0, b >>> 24)
      }
      for (; index < bytes.length; index += 1) {
        const byte = low ^ (bytes[index] ?? 0)
        low = at(l0, byte) ^ (low >>> 8) ^ (high << 24)
        high = at(h0, byte) ^ (high >>> 8)
      }
    },
    digest() {
      const bytes = Buffer.alloc(8)
      bytes.writeUInt32BE(~high >>> 0, 0)
      bytes.writeUInt32BE(~low >>> 0, 4)
      return bytes
    },
  }
}

type Table = Uint32Array
type Tables = readonly [Table, Table, Table, Table, Table, Table, Table, Table]

let castagnoli: Tables | undefined
let nvme: { readonly high: Tables; readonly low: Tables } | undefined

const at = (table: Table, index: number): number => table[index & 0xff] ?? 0

const word = (bytes: Uint8Array, index: number): number =>
  (bytes[index] ?? 0) |
  ((bytes[index + 1] ?? 0) << 8) |
  ((bytes[index + 2] ?? 0) << 16) |
  ((bytes[index + 3] ?? 0) << 24)

const emptyTables = (): Tables => {
  const table = () => new Uint32Array(256)
  return [table(), table(), table(), table(), table(), table(), table(), table()]
}

/** @param polynomial with its bits in reverse */
function tables32(polynomial: number): Tables {
  const tables = emptyTables()
  const [first] = tables
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
    first[byte] = crc
  }
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = at(first, byte)
    for (const table of tables.slice(1)) {
      crc = at(first, crc) ^ (crc >>> 8)
      table[byte] = crc
    }
  }
  return tables
}

function tables64(): { readonly high: Tables; readonly low: Tables } {
  // The polynomial of the specification with its bits in reverse.
  const polynomial = 0x9a6c9329ac4bc9b5n
  const [high, low] = [emptyTables(), emptyTables()]
  const first = Array.from({ length: 256 }, (_, byte) => {
    let crc = BigInt(byte)
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1n ? (crc >> 1n) ^ polynomial : crc >> 1n
    return crc
  })
  for (const [byte, start] of first.entries()) {
    let crc = start
    for (let step = 0; step < width; step += 1) {
      if (step > 0) crc = (first[Number(crc & 0xffn)] ?? 0n) ^ (crc >> 8n)
      const [highTable, lowTable] = [high[step], low[step]]
      if (highTable !== undefined) highTable[byte] = Number(crc >> 32n)
      if (lowTable !== undefined) lowTable[byte] = Number(crc & 0xffffffffn)
    }
  }
  return { high, low }
}
