import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { createDigest, type Digest } from '../digest.ts'
import { FileError } from '../errors.ts'
import type { FileId, PartialFiles, PutOptions } from '../file-store.ts'
import { type FolderLayout, finishedPath, partialPath } from './layout.ts'
import { syncFile, translated, writeStream } from './write-file.ts'

/** Growing files whose MD5 goes on where the last append left it; all bytes of the others are read again at the end. */
const digestedFiles = 1000

/** @param move moves a file into its place among the finished ones, durably */
export function createPartialFiles(
  layout: FolderLayout,
  move: (path: string, to: string, id: FileId) => Promise<void>,
): PartialFiles {
  const digests = new LRUCache<FileId, Digest>({ max: digestedFiles })

  const sizeOf = async (id: FileId): Promise<number> => (await stat(partialPath(layout, id))).size
  /** The digest of the file's bytes, where it is known. */
  const digestOf = (id: FileId, sizeBytes: number): Digest | null => {
    const digest = digests.get(id)
    return digest?.sizeBytes === sizeBytes ? digest : null
  }

  return {
    create: (id) =>
      translated(async () => {
        await (await open(partialPath(layout, id), 'wx', 0o600)).close()
        await syncFile(layout.partial)
        digests.set(id, createDigest())
      }),
    size: (id) => translated(() => sizeOf(id)),
    append: (id, offset, body, options) =>
      translated(async () => {
        const file = await open(partialPath(layout, id), 'r+')
        try {
          if ((await file.stat()).size !== offset) throw new FileError('WrongOffset')
          return await append(file, offset, body, options, digestOf(id, offset))
        } finally {
          await file.close()
        }
      }),
    finish: (id) =>
      translated(async () => {
        const path = partialPath(layout, id)
        const sizeBytes = await sizeOf(id).catch(() => null)
        if (sizeBytes === null) return (await readDigest(finishedPath(layout, id))).describe()
        const digest = digestOf(id, sizeBytes) ?? (await readDigest(path))
        await move(path, finishedPath(layout, id), id)
        digests.delete(id)
        return digest.describe()
      }),
  }
}

async function append(
  file: FileHandle,
  offset: number,
  body: Readable,
  options: PutOptions,
  digest: Digest | null,
): Promise<number> {
  try {
    return await writeStream(file, offset, body, options, digest)
  } catch (error) {
    if (error instanceof FileError && error.code === 'FileTooLarge') await file.truncate(offset)
    throw error
  } finally {
    await file.datasync()
  }
}

async function readDigest(path: string): Promise<Digest> {
  const digest = createDigest()
  // Read as buffers: no encoding is set.
  for await (const bytes of createReadStream(path, { highWaterMark: 256 * 1024 })) digest.update(bytes as Buffer)
  return digest
}
