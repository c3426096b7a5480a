import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../../ground/errors/message.ts'
import { spoolError } from '../errors.ts'
import type { SpoolLog } from '../log.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { listSegments, type Position, recoverSegment, segmentBytes } from './segments.ts'
import type { Durability } from './writer.ts'

/** Why the folder takes no new file, found by writing one; null when it does. */
export async function whyUnwritable(folder: string): Promise<string | null> {
  const probe = join(folder, 'probe')
  try {
    await writeFile(probe, Buffer.alloc(4096), { mode: 0o600 })
    await rm(probe, { force: true })
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/** What an earlier process left in a folder. */
export interface Recovered {
  /** Everything before this place is stored. */
  readonly done: Position
  /** The end of what is durable. */
  readonly committed: Position
  /** Bytes between the two. */
  readonly bytes: number
}

/**
 * Makes a spool's folder where it is missing, and what is in it durable.
 *
 * @throws CLEW_SPOOL_UNUSABLE when the folder cannot be read or written
 */
export async function recoverFolder(folder: string, durability: Durability, log: SpoolLog): Promise<Recovered> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const segments = await listSegments(folder)
    const { done, problem } = await readCursor(folder, segments)
    if (problem !== null) {
      const message = 'spool: the cursor is unusable; what is in the folder is stored again, which changes nothing'
      log.warn({ folder, problem, from: done }, message)
    }
    if (segments.length === 0 || problem !== null) await writeCursor(folder, done, durability)

    const last = segments.at(-1)
    if (last === undefined) return { done, committed: done, bytes: 0 }
    const offset = await recoverSegment(folder, last)
    let bytes = 0
    for (const segment of segments) {
      if (segment > done.segment) bytes += await segmentBytes(folder, segment)
      if (segment === done.segment) bytes += (await segmentBytes(folder, segment)) - done.offset
    }
    return { done, committed: { segment: last, offset }, bytes: Math.max(0, bytes) }
  } catch (cause) {
    const reason = messageOf(cause)
    throw spoolError('CLEW_SPOOL_UNUSABLE', { message: `The spool in ${folder} cannot be used: ${reason}`, cause })
  }
}
