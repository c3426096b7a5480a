import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Position, segmentBytes, syncFolder } from './segments.ts'
import type { Durability } from './writer.ts'

const fileName = 'cursor.json'

/** The place before which everything is stored. */
export interface FoundCursor {
  readonly done: Position
  /** Why the place is not the one in the file; null when it is. */
  readonly problem: string | null
}

/**
 * Reads the place before which everything is stored. Where it is missing, cannot be read, or names no place in these
 * segments, that is the beginning of the oldest: to store again is harmless, to leave out is not.
 *
 * @param segments the numbers of the folder's segments, oldest first
 */
export async function readCursor(folder: string, segments: readonly number[]): Promise<FoundCursor> {
  const first: Position = { segment: segments[0] ?? 0, offset: 0 }
  let text: string
  try {
    text = await readFile(join(folder, fileName), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { done: first, problem: segments.length === 0 ? null : 'it is missing' }
  }
  const done = parseCursor(text)
  if (done === null) return { done: first, problem: 'it cannot be read' }
  if (segments.length === 0) return { done, problem: null }
  const isThere = segments.includes(done.segment) && done.offset <= (await segmentBytes(folder, done.segment))
  return isThere ? { done, problem: null } : { done: first, problem: 'it names a place that is not there' }
}

function parseCursor(text: string): Position | null {
  try {
    const { done } = JSON.parse(text) as { readonly done?: Partial<Position> }
    const { segment, offset } = done ?? {}
    return isPlace(segment) && isPlace(offset) ? { segment, offset } : null
  } catch {
    return null
  }
}

const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Replaces the cursor: a crash leaves the old one or the new one. */
export async function writeCursor(folder: string, done: Position, durability: Durability): Promise<void> {
  const temporary = join(folder, `${fileName}.new`)
  const handle = await open(temporary, 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify({ done }))
    if (durability === 'disk') await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(temporary, join(folder, fileName))
  if (durability === 'disk') await syncFolder(folder)
}
