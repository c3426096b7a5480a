import { constants, fdatasync, open, write } from 'node:fs'
import { promisify } from 'node:util'

// Descriptors, not `FileHandle`s: half of what a short file costs this process is the calls of the file system.
const openFile = promisify(open)
const writeBytes = promisify(write)
const datasync = promisify(fdatasync)

const { O_CREAT, O_EXCL, O_WRONLY, O_DSYNC } = constants

/** Elsewhere the flag is missing, or does not reach the disk (macOS). */
const writesAreDurable = process.platform === 'linux'

/** Opens a file that is not there yet, for its owner alone, to be written by `writeDurably`. @returns its descriptor */
export const createDurableFile = (path: string): Promise<number> =>
  openFile(path, O_CREAT | O_EXCL | O_WRONLY | (writesAreDurable ? O_DSYNC : 0), 0o600)

/** Writes all of a file, whose bytes are on the disk once this resolves: one call where a write and a flush are two. */
export async function writeDurably(descriptor: number, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await writeBytes(descriptor, bytes, written, bytes.length - written, written)).bytesWritten
  if (!writesAreDurable) await datasync(descriptor)
}
