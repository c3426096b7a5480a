import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** A place in the spool: the segment's number and a byte in it. */
export interface Position {
  readonly segment: number
  readonly offset: number
}

export const isBefore = (left: Position, right: Position): boolean =>
  left.segment < right.segment || (left.segment === right.segment && left.offset < right.offset)

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

/** Makes the names in a folder (a new file, a rename) durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Makes a segment of an earlier process durable: all that the consumer reads is on the disk and not only in the page
 * cache. A record half written at its end stays, and is left out by the reader.
 *
 * @returns its size
 */
export async function recoverSegment(folder: string, segment: number): Promise<number> {
  const handle = await open(segmentPath(folder, segment), 'r+')
  try {
    await handle.sync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
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
