import { crc32 } from 'node:zlib'

/** Rows of one request for one target: JSON lines joined by newlines, none at the end. */
export interface SpoolRecord<Target extends string = string> {
  /** Where its rows go: one of the targets that the spool was opened with. */
  readonly target: Target
  readonly rows: number
  /** Bytes are copied before `append` returns. */
  readonly lines: string | Buffer
}

/** Rows of which only the start is copied: the rest goes into the file as it is, and must not change until it is there. */
export interface SplitRecord<Target extends string = string> {
  readonly target: Target
  readonly rows: number
  readonly start: string
  readonly rest: Buffer
}

/** A record rendered elsewhere, in a thread say, with `renderRecord`: to copy and check many bytes takes time. */
export interface RenderedRecord<Target extends string = string> {
  readonly target: Target
  readonly rows: number
  readonly frame: Frame
}

/** A record as it goes into the file, in parts that stand one behind the other. */
export type Frame = readonly Buffer[]

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
/** Bytes of a frame before its lines. */
export const headBytes = frameBytes + bodyHeadBytes

/** Larger than any record: a body limit of some 25 MiB, whose rows may grow when rendered. */
const maxRecordBytes = 256 * 1024 * 1024

/**
 * Writes one record as a frame that a torn write cannot imitate.
 *
 * @param target the target's place in the list that the spool was opened with
 */
export function renderRecord(target: number, record: Omit<SpoolRecord, 'target'> | Omit<SplitRecord, 'target'>): Frame {
  const [copied, rest] = 'rest' in record ? [record.start, record.rest] : [record.lines, null]
  const copiedBytes = Buffer.byteLength(copied)
  const frame = Buffer.allocUnsafe(headBytes + copiedBytes)
  frame.writeUInt32LE(bodyHeadBytes + copiedBytes + (rest?.length ?? 0), 0)
  frame.writeUInt8(target, 8)
  frame.writeUInt32LE(record.rows, 9)
  if (typeof copied === 'string') frame.write(copied, headBytes)
  else copied.copy(frame, headBytes)
  const check = crc32(frame.subarray(frameBytes))
  frame.writeUInt32LE(rest === null ? check : crc32(rest, check), 4)
  return rest === null ? [frame] : [frame, rest]
}

export type ParsedRecord =
  | { readonly kind: 'record'; readonly record: StoredRecord }
  /** The frame goes on beyond these bytes: `needsBytes` from `offset` are needed to know more. */
  | { readonly kind: 'short'; readonly needsBytes: number }
  /** Not a record: a torn or damaged write. */
  | { readonly kind: 'damaged' }

/**
 * Reads the record that begins at `offset`.
 *
 * @param targets how many targets there are: a record for any other is damaged
 */
export function parseRecord(bytes: Buffer, offset: number, targets: number): ParsedRecord {
  const here = bytes.length - offset
  if (here < headBytes) return { kind: 'short', needsBytes: headBytes }
  const sizeBytes = frameBytes + bytes.readUInt32LE(offset)
  const target = bytes.readUInt8(offset + frameBytes)
  // Zeroes, which a file system may leave after a power cut, are damage and not an empty record.
  if (sizeBytes < headBytes || sizeBytes > maxRecordBytes || target >= targets) return { kind: 'damaged' }
  if (here < sizeBytes) return { kind: 'short', needsBytes: sizeBytes }
  const body = bytes.subarray(offset + frameBytes, offset + sizeBytes)
  if (crc32(body) !== bytes.readUInt32LE(offset + 4)) return { kind: 'damaged' }
  return {
    kind: 'record',
    record: { target, rows: body.readUInt32LE(1), lines: body.subarray(bodyHeadBytes), sizeBytes },
  }
}

/**
 * The next place from `offset` at which a record may begin; -1 when there is none. Lines are JSON, which writes no
 * control character as it is: no byte within them can be a target's, so that hardly any place is looked at in vain.
 */
export function findRecord(bytes: Buffer, offset: number, targets: number): number {
  for (let at = offset; at + headBytes <= bytes.length; at += 1) {
    const target = bytes[at + frameBytes]
    if (target === undefined || target >= targets) continue
    const sizeBytes = frameBytes + bytes.readUInt32LE(at)
    if (sizeBytes > headBytes && sizeBytes <= maxRecordBytes && bytes.readUInt32LE(at + 9) > 0) return at
  }
  return -1
}
