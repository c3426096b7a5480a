import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { partBytes } from './child/orders.ts'

/**
 * A file without a name, shared with the process of images, which leaves there what it made. A message of that size is read
 * in pieces and put together, which takes twice its bytes of memory: the server collected its young objects two thirds more often.
 */
export interface ResultFile {
  /** Null where it could not be made: the disk may be full. Images are sent in messages then. */
  readonly descriptor: number | null
  /** Lends a part of it for one image; null while there is none. */
  lend(): number | null
  /** A part that was lent is free again. */
  giveBack(part: number): void
  /** The bytes at the beginning of a part. */
  read(part: number, sizeBytes: number): Buffer
  close(): void
}

/** @param parts images at a time */
export function createResultFile(parts: number): ResultFile {
  let descriptor = openUnnamed()
  const free = descriptor === null ? [] : Array.from({ length: parts }, (_, part) => part)
  return {
    descriptor,
    lend: () => free.pop() ?? null,
    giveBack: (part) => void free.push(part),
    read(part, sizeBytes) {
      if (descriptor === null) throw new Error('The file of changed images is closed.')
      const bytes = Buffer.allocUnsafeSlow(sizeBytes)
      const from = part * partBytes
      for (let at = 0; at < sizeBytes; ) {
        // It was written a moment ago, and is in memory.
        const read = readSync(descriptor, bytes, at, sizeBytes - at, from + at)
        if (read === 0) throw new Error('The file of changed images is shorter than what was written to it.')
        at += read
      }
      return bytes
    },
    close() {
      if (descriptor !== null) closeSync(descriptor)
      descriptor = null
    },
  }
}

function openUnnamed(): number | null {
  try {
    const path = join(tmpdir(), `clew-images-${randomUUID()}`)
    const descriptor = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    return descriptor
  } catch {
    return null
  }
}
