import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Digest } from '../digest.ts'
import { FileError } from '../errors.ts'
import type { ByteRange, PutOptions } from '../file-store.ts'
import { createSink, receive } from '../receive.ts'

/**
 * Writes a stream into a file from a place on. What arrived before a failure is written.
 *
 * @param digest is given what is written
 * @returns      the place after the last byte
 * @throws       FileTooLarge when that would be beyond the limit
 */
export async function writeStream(
  file: FileHandle,
  from: number,
  body: Readable,
  { limitBytes, signal }: PutOptions,
  digest: Digest | null,
): Promise<number> {
  let position = from
  const sink = createSink(async (bytes) => {
    if (position + bytes.length > limitBytes) throw new FileError('FileTooLarge')
    await writeAll(file, bytes, position)
    digest?.update(bytes)
    position += bytes.length
  })
  await receive(body, sink, signal)
  return position
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length)
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten
}

/** Makes a file durable, or the names in a folder: a new file, a rename. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Large reads: each is a turn through a thread. */
const readBytes = 256 * 1024

/** A file's bytes; it is open once this resolves. */
export async function openFile(path: string, range?: ByteRange): Promise<Readable> {
  const file = await open(path, 'r')
  return file.createReadStream({ ...range, highWaterMark: readBytes })
}

/** Reads a file into memory, as far as that reaches. @returns the number of bytes */
export async function readFileInto(memory: Buffer, path: string): Promise<number> {
  const file = await open(path, 'r')
  try {
    let length = 0
    while (length < memory.length) {
      const { bytesRead } = await file.read(memory, length, memory.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return length
  } finally {
    await file.close()
  }
}

const full = new Set(['ENOSPC', 'EDQUOT'])

function toFileError(error: unknown): unknown {
  const code = isSystemError(error) ? error.code : undefined
  if (code === 'ENOENT') return new FileError('FileMissing', { cause: error })
  if (code !== undefined && full.has(code)) return new FileError('NoSpace', { cause: error })
  return error
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error

/** @throws FileMissing and NoSpace in place of the file system’s errors */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toFileError(error)
  }
}
