import { close, fdatasync, open, write } from 'node:fs'
import { promisify } from 'node:util'
import { createDigest } from '../digest.ts'
import { FileError } from '../errors.ts'
import type { ReceivedFile } from '../file-store.ts'

// Descriptors, not `FileHandle`s: half of what a short file costs this process is the calls of the file system.
const openFile = promisify(open)
const writeBytes = promisify(write)

/** Opens a file that is not there yet, for its owner alone. @returns its descriptor */
export const createFile = (path: string): Promise<number> => openFile(path, 'wx', 0o600)

/** Makes the bytes of an open file durable. */
export const datasync: (descriptor: number) => Promise<void> = promisify(fdatasync)

/** A file that is being received. */
export interface NewFile {
  /** @throws FileTooLarge when it would be longer than its limit */
  write(bytes: Buffer): Promise<void>
  /** Writes what was kept back. @returns the descriptor of the file */
  end(): Promise<number>
  /** Whether there is a file by now. */
  isCreated(): boolean
  describe(): ReceivedFile
  close(): void
}

/** What is kept back until more arrives: a short file is made at its end, by one write. */
const shortBytes = 64 * 1024

/** @param create opens the file, when its first bytes are to be written */
export function createNewFile(create: () => Promise<number>, limitBytes: number): NewFile {
  const digest = createDigest()
  let kept: Buffer[] = []
  let descriptor: number | null = null
  let position = 0

  const flush = async (): Promise<number> => {
    descriptor ??= await create()
    const [first] = kept
    const bytes = kept.length === 1 && first !== undefined ? first : Buffer.concat(kept)
    kept = []
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await writeBytes(descriptor, bytes, written, bytes.length - written, position)
      written += bytesWritten
      position += bytesWritten
    }
    return descriptor
  }

  return {
    async write(bytes) {
      if (digest.sizeBytes + bytes.length > limitBytes) throw new FileError('FileTooLarge')
      digest.update(bytes)
      kept.push(bytes)
      if (descriptor !== null || digest.sizeBytes > shortBytes) await flush()
    },
    end: flush,
    isCreated: () => descriptor !== null,
    describe: () => digest.describe(),
    close() {
      // What it says of a file that is flushed, or removed, changes nothing.
      if (descriptor !== null) close(descriptor, () => undefined)
    },
  }
}
