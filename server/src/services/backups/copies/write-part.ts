import { closeSync, constants, futimesSync, openSync, writeSync } from 'node:fs'
import type { FilePart } from './index-lines.ts'

/** What bytes, their place in memory and that in a file are multiples of, to go past the page cache (open(2), `O_DIRECT`). */
const pageBytes = 4096
/** From so many on: each such write waits for the disk. */
const leastDirectBytes = 1024 * 1024

interface Writing {
  /** The bytes begin at a page of memory. */
  readonly isAtPage: boolean
  /**
   * The file is to outlive a power cut. Many bytes go to the disk now, past the page cache: they are copied once less, the flush
   * at the end has little to do, and what other programs have in the cache stays there.
   */
  readonly isKept: boolean
}

/**
 * Writes a part of a file, with its time. Other parts of a large file may be written at once, in any order.
 *
 * @param part with its path on the disk; the folder is there
 */
export function writePart(part: FilePart, bytes: Uint8Array, { isAtPage, isKept }: Writing): void {
  const isDirect = isKept && isAtPage && isOfPages(part) && bytes.length >= leastDirectBytes
  if (!isDirect || !writeDirectly(part, bytes)) write(part, bytes, 0)
}

const isOfPages = ({ offset, sizeBytes }: FilePart): boolean => offset % pageBytes === 0 && sizeBytes % pageBytes === 0

/** @returns false where the system or the file system has no such way */
function writeDirectly(part: FilePart, bytes: Uint8Array): boolean {
  // macOS has no such flag.
  if (process.platform !== 'linux') return false
  try {
    write(part, bytes, constants.O_DIRECT)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
    return false
  }
}

function write({ path, mode, modifiedMs, fileBytes, offset }: FilePart, bytes: Uint8Array, more: number): void {
  const isWhole = bytes.length === fileBytes
  const flags = constants.O_WRONLY | constants.O_CREAT | (isWhole ? constants.O_TRUNC : 0) | more
  const file = openSync(path, flags, mode)
  try {
    // A disk that fills up may take a part of a write, and refuses the next.
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, offset + done)
    // Its time is one of the marks by which the next backup knows a file: each part sets it, the last as well.
    futimesSync(file, modifiedMs / 1000, modifiedMs / 1000)
  } finally {
    closeSync(file)
  }
}
