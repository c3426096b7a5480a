/** One entry of a tar archive. Its bytes are there until the next entry is asked for. */
export interface TarEntry {
  readonly kind: 'file' | 'folder' | 'link'
  readonly path: string
  readonly sizeBytes: number
  /** Permissions, as in 0o600. */
  readonly mode: number
  readonly modifiedMs: number
  /** What a link points to; empty for everything else. */
  readonly linkTo: string
  /** The next bytes of a file, exactly so many. A MiB or more is there until as much is read again; less stays. */
  read(length: number): Promise<Buffer>
}

const blockBytes = 512
/** From this size on bytes are read into memory that is used again. */
const largeBytes = 1024 * 1024

/** Bytes of a stream, as many at a time as are asked for. */
interface ByteReader {
  /** @throws Error when the stream ends before */
  take(length: number): Promise<Buffer>
}

/**
 * Reads a tar archive as PostgreSQL writes it, entry after entry.
 *
 * @param bytes each buffer is there until the next is asked for
 * @see https://www.postgresql.org/docs/current/protocol-replication.html BASE_BACKUP; POSIX pax, "ustar Interchange Format"
 * @throws Error for bytes that are no such archive, or that end before it does
 */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry, void> {
  const reader = createByteReader(bytes)
  for (;;) {
    const header = await reader.take(blockBytes)
    if (header.every((byte) => byte === 0)) return
    const entry = parseHeader(header)
    let leftBytes = entry.sizeBytes
    const read = (length: number): Promise<Buffer> => {
      if (length > leftBytes) throw new RangeError(`${entry.path} has no ${length} bytes more`)
      leftBytes -= length
      return reader.take(length)
    }
    yield { ...entry, read }
    while (leftBytes > 0) await read(Math.min(leftBytes, 1024 * 1024))
    const padding = (blockBytes - (entry.sizeBytes % blockBytes)) % blockBytes
    if (padding > 0) await reader.take(padding)
  }
}

const kinds: Readonly<Record<string, TarEntry['kind']>> = { '0': 'file', '\0': 'file', '2': 'link', '5': 'folder' }

function parseHeader(header: Buffer): Omit<TarEntry, 'read'> {
  const text = (start: number, length: number): string => {
    const field = header.subarray(start, start + length)
    const end = field.indexOf(0)
    return field.toString('utf8', 0, end === -1 ? length : end)
  }
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (parseNumber(header, 148, 8) !== sum) throw new Error('This is no header of a tar archive.')
  const kind = kinds[String.fromCharCode(header[156] ?? 0)]
  if (kind === undefined) throw new Error(`A tar archive has an entry of an unknown kind: ${text(0, 100)}`)
  const prefix = text(345, 155)
  const name = text(0, 100)
  return {
    kind,
    path: (prefix === '' ? name : `${prefix}/${name}`).replace(/\/$/, ''),
    sizeBytes: kind === 'file' ? parseNumber(header, 124, 12) : 0,
    mode: parseNumber(header, 100, 8) & 0o7777,
    modifiedMs: parseNumber(header, 136, 12) * 1000,
    linkTo: text(157, 100),
  }
}

/** Octal digits; numbers that need more are binary, with the first bit set. */
function parseNumber(header: Buffer, start: number, length: number): number {
  const field = header.subarray(start, start + length)
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(BigInt(`0x${field.toString('hex')}`) & ((1n << 62n) - 1n))
  return Number.parseInt(field.toString('latin1').replaceAll('\0', ' ').trim() || '0', 8)
}

function createByteReader(bytes: AsyncIterable<Buffer>): ByteReader {
  const iterator = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let room: Buffer = Buffer.alloc(0)
  const memoryFor = (length: number): Buffer => {
    if (length < largeBytes) return Buffer.allocUnsafe(length)
    if (length > room.length) room = Buffer.allocUnsafeSlow(length)
    return room.subarray(0, length)
  }
  return {
    async take(length) {
      const taken = memoryFor(length)
      for (let filled = 0; filled < length; ) {
        if (rest.length === 0) {
          const next = await iterator.next()
          if (next.done === true) throw new Error('The archive ends in the middle.')
          rest = next.value
        }
        const copied = rest.copy(taken, filled)
        rest = rest.subarray(copied)
        filled += copied
      }
      return taken
    },
  }
}
