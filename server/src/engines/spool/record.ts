import { crc32 } from 'node:zlib'

/** Rows of one request for one target: JSON lines joined by newlines, none at the end. */
export interface SpoolRecord<Target extends string = string> {
  /** Where its rows go: one of the targets that the spool was opened with. */
  readonly target: Target
  readonly rows: number
  readonly lines: string
}

/** A record read back; its lines are still the bytes that were written. */
export interface StoredRecord {
  /** The target's place in the list that the spool was opened with. */
  readonly target: number
  readonly rows: number
  readonly lines: Buffer
  /** Bytes of the whole frame. */
  readonly sizeBytes: number
}

/** Frame: length of the body (u32), CRC-32 of the body (u32), then the body: target (u8), rows (u32), lines (UTF-8). */
const frameBytes = 8
const bodyHeadBytes = 5

/**
 * Writes one record as a frame that a torn write cannot imitate.
 *
 * @param target the target's place in the list that the spool was opened with
 */
export function renderRecord(target: number, record: Omit<SpoolRecord, 'target'>): Buffer {
  const linesBytes = Buffer.byteLength(record.lines)
  const frame = Buffer.allocUnsafe(frameBytes + bodyHeadBytes + linesBytes)
  frame.writeUInt32LE(bodyHeadBytes + linesBytes, 0)
  frame.writeUInt8(target, 8)
  frame.writeUInt32LE(record.rows, 9)
  frame.write(record.lines, frameBytes + bodyHeadBytes)
  frame.writeUInt32LE(crc32(frame.subarray(frameBytes)), 4)
  return frame
}

export type ParsedRecord =
  | { readonly kind: 'record'; readonly record: StoredRecord }
  /** The frame goes on beyond these bytes: `needsBytes` from `offset` are needed to know more. */
  | { readonly kind: 'short'; readonly needsBytes: number }
  /** No record of ours: a torn or damaged write. */
  | { readonly kind: 'damaged' }

/** Reads the record that begins at `offset`. `maxBytes` bounds what a damaged length can make the reader wait for. */
export function parseRecord(bytes: Buffer, offset: number, maxBytes: number): ParsedRecord {
  const here = bytes.length - offset
  if (here < frameBytes) return { kind: 'short', needsBytes: frameBytes }
  const bodyBytes = bytes.readUInt32LE(offset)
  const sizeBytes = frameBytes + bodyBytes
  // Zeroes, which a file system may leave after a power cut, are damage and not an empty record.
  if (bodyBytes < bodyHeadBytes || sizeBytes > maxBytes) return { kind: 'damaged' }
  if (here < sizeBytes) return { kind: 'short', needsBytes: sizeBytes }
  const body = bytes.subarray(offset + frameBytes, offset + sizeBytes)
  if (crc32(body) !== bytes.readUInt32LE(offset + 4)) return { kind: 'damaged' }
  return {
    kind: 'record',
    record: {
      target: body.readUInt8(0),
      rows: body.readUInt32LE(1),
      lines: body.subarray(bodyHeadBytes),
      sizeBytes,
    },
  }
}
