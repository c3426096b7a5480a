import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { parseRecord } from './record.ts'

/** A place in the spool: the segment's number and a byte in it. */
export interface Position {
  readonly segment: number
  readonly offset: number
}

export const isBefore = (left: Position, right: Position): boolean =>
  left.segment < right.segment || (left.segment === right.segment && left.offset < right.offset)

/** Larger than any record: a body limit of some 25 MiB, whose rows may grow when rendered. */
export const maxRecordBytes = 256 * 1024 * 1024

const pattern = /^(\d{12})\.segment$/

/** The file of one segment; numbers are padded so that names sort. */
export const segmentPath = (folder: string, segment: number): string =>
  join(folder, `${String(segment).padStart(12, '0')}.segment`)

/** The numbers of the segments in a folder, oldest first. */
export async function listSegments(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((left, right) => left - right)
}

export const segmentBytes = async (folder: string, segment: number): Promise<number> =>
  (await stat(segmentPath(folder, segment))).size

export const deleteSegment = (folder: string, segment: number): Promise<void> => unlink(segmentPath(folder, segment))

/** Makes the names in a folder (a new file, a rename) survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Cuts whatever a crash left half written at the end of a segment, and makes the rest durable: what the consumer
 * reads from here on is on the disk and not only in the page cache.
 *
 * @returns bytes that were kept and bytes that were cut
 */
export async function recoverSegment(folder: string, segment: number): Promise<{ kept: number; cut: number }> {
  const handle = await open(segmentPath(folder, segment), 'r+')
  try {
    const { size } = await handle.stat()
    const kept = await validBytes(handle, size)
    if (kept < size) await handle.truncate(kept)
    await handle.sync()
    return { kept, cut: size - kept }
  } finally {
    await handle.close()
  }
}

const windowBytes = 4 * 1024 * 1024

/** How many bytes from the start of a file are whole, undamaged records. */
async function validBytes(handle: FileHandle, size: number): Promise<number> {
  let valid = 0
  let want = windowBytes
  while (valid < size) {
    const bytes = await readAt(handle, valid, Math.min(want, size - valid))
    let offset = 0
    want = windowBytes
    for (;;) {
      const parsed = parseRecord(bytes, offset, maxRecordBytes)
      if (parsed.kind === 'damaged') return valid + offset
      if (parsed.kind === 'short') {
        if (valid + offset + parsed.needsBytes > size) return valid + offset
        want = Math.max(windowBytes, parsed.needsBytes)
        break
      }
      offset += parsed.record.sizeBytes
    }
    valid += offset
  }
  return valid
}

/** Reads up to `length` bytes at a place; fewer only at the file's end. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
