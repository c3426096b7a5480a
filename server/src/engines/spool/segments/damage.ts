import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findRecord, headBytes, parseRecord } from './record.ts'
import { type Position, readAt } from './segments.ts'

/** Bytes of a segment that are no record: half written at a crash, or damaged. */
export interface Damage {
  readonly at: Position
  readonly bytes: number
}

const windowBytes = 1024 * 1024

/**
 * Finds where records go on behind damage.
 *
 * @param from the first byte at which one may begin
 * @param end  no record ends behind it
 * @returns    the place of the next whole record, or `end`
 */
export async function findNextRecord(file: FileHandle, from: number, end: number, targets: number): Promise<number> {
  for (let place = from; place + headBytes <= end; ) {
    const window = await readAt(file, place, Math.min(windowBytes, end - place))
    if (window.length < headBytes) return end
    for (let at = findRecord(window, 0, targets); at !== -1; at = findRecord(window, at + 1, targets)) {
      if (await isRecord(file, window, place, at, end, targets)) return place + at
    }
    place += window.length - headBytes + 1
  }
  return end
}

async function isRecord(
  file: FileHandle,
  window: Buffer,
  place: number,
  at: number,
  end: number,
  targets: number,
): Promise<boolean> {
  const here = parseRecord(window, at, targets)
  if (here.kind !== 'short') return here.kind === 'record'
  if (place + at + here.needsBytes > end) return false
  return parseRecord(await readAt(file, place + at, here.needsBytes), 0, targets).kind === 'record'
}

/**
 * Copies damaged bytes into a file of their own: they may hold records that are missed.
 *
 * @param limitBytes of all such files together; a copy that would pass it is not made
 * @returns          whether they were copied
 */
export async function setDamageAside(
  file: FileHandle,
  { at, bytes }: Damage,
  folder: string,
  limitBytes: number,
): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${at.segment}-${at.offset}.bin`
  let usedBytes = 0
  for (const other of await readdir(folder)) if (other !== name) usedBytes += (await stat(join(folder, other))).size
  if (usedBytes + bytes > limitBytes) return false
  const copy = await open(join(folder, name), 'w', 0o600)
  try {
    for (let done = 0; done < bytes; ) {
      const piece = await readAt(file, at.offset + done, Math.min(windowBytes, bytes - done))
      if (piece.length === 0) break
      await copy.writeFile(piece)
      done += piece.length
    }
    await copy.datasync()
  } finally {
    await copy.close()
  }
  return true
}
