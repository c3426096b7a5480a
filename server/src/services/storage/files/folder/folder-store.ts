import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { messageOf } from '../../../../ground/errors/message.ts'
import { createDigest } from '../digest.ts'
import type { ByteRange, FileId, FileStore, ListedFile, PutOptions, StoredFile } from '../file-store.ts'
import { concatenated } from '../receive.ts'
import { type FolderLayout, finishedPath, isFileId, layoutOf, partialPath, shardOf } from './layout.ts'
import { createPartialFiles } from './partial-files.ts'
import { syncFolder, translated, writeStream } from './write-file.ts'

/** A file that was being received when its process ended is removed after this time: another process may still write it. */
const leftAfterMs = 3_600_000
const readBytes = 256 * 1024

/** The dependencies of `createFolderStore`. */
export interface FolderStoreDeps {
  /** Made where it is missing. Nothing else is in it. */
  readonly folder: string
  readonly now: () => Date
}

/**
 * Files in a folder, each under its id: received beside, flushed, and moved into place by one rename.
 *
 * @throws errors of the file system for a folder that cannot be used
 */
export async function createFolderStore({ folder, now }: FolderStoreDeps): Promise<FileStore> {
  const layout = layoutOf(folder)
  for (const each of [layout.finished, layout.partial, layout.incoming])
    await mkdir(each, { recursive: true, mode: 0o700 })
  await syncFolder(folder)
  await removeLeftFiles(layout, new Date(now().getTime() - leftAfterMs))

  const move = (path: string, id: FileId): Promise<void> => moveToFinished(layout, path, id)

  const put = (id: FileId, body: Readable, options: PutOptions): Promise<StoredFile> =>
    translated(async () => {
      const path = join(layout.incoming, nameOfIncoming(layout, id))
      try {
        const stored = await writeFlushed(path, body, options)
        await move(path, id)
        return stored
      } catch (error) {
        await removeFile(path)
        throw error
      }
    })

  const get = (id: FileId, range?: ByteRange): Promise<Readable> =>
    translated(async () => {
      const file = await open(finishedPath(layout, id), 'r')
      return file.createReadStream({ ...range, highWaterMark: readBytes })
    })

  return {
    put,
    get,
    copy: async (from, to) => put(to, await get(from), { limitBytes: Number.POSITIVE_INFINITY }),
    join: (parts, to) =>
      put(to, concatenated(parts.map((part) => () => get(part))), { limitBytes: Number.POSITIVE_INFINITY }),
    async remove(ids) {
      for (const id of ids) {
        await removeFile(finishedPath(layout, id))
        await removeFile(partialPath(layout, id))
      }
    },
    list: () => listFiles(layout),
    partial: createPartialFiles(layout, move),
    health: () => describeHealth(folder, layout),
    close: async () => undefined,
  }
}

async function writeFlushed(path: string, body: Readable, options: PutOptions): Promise<StoredFile> {
  const file = await open(path, 'wx', 0o600)
  try {
    const digest = createDigest()
    await writeStream(file, 0, body, options, digest)
    await file.datasync()
    return digest.describe()
  } finally {
    await file.close()
  }
}

/** The id, which is checked so, and what tells two attempts at one id apart. */
const nameOfIncoming = (layout: FolderLayout, id: FileId): string =>
  `${shardOf(layout, id).slice(-2)}-${id}-${process.hrtime.bigint()}`

async function moveToFinished(layout: FolderLayout, path: string, id: FileId): Promise<void> {
  const shard = shardOf(layout, id)
  const to = finishedPath(layout, id)
  await rename(path, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    // The first file of its folder.
    await mkdir(shard, { recursive: true, mode: 0o700 })
    await syncFolder(layout.finished)
    await rename(path, to)
  })
  await syncFolder(shard)
}

async function removeLeftFiles({ incoming }: FolderLayout, before: Date): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && found.mtime < before) await rm(path, { force: true })
  }
}

async function* listFiles(layout: FolderLayout): AsyncGenerator<ListedFile> {
  for (const shard of await readdir(layout.finished)) yield* listFolder(join(layout.finished, shard), false)
  yield* listFolder(layout.partial, true)
}

async function* listFolder(folder: string, partial: boolean): AsyncGenerator<ListedFile> {
  for (const id of (await readdir(folder)).filter(isFileId)) {
    // One that was removed meanwhile is no file.
    const found = await stat(join(folder, id)).catch(() => null)
    if (found !== null) yield { id, sizeBytes: found.size, modifiedAt: found.mtime, partial }
  }
}

/** Removes a file; an absent one is no error. */
const removeFile = (path: string): Promise<void> =>
  unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })

/** Tries to write a file. */
async function describeHealth(folder: string, { incoming }: FolderLayout): ReturnType<FileStore['health']> {
  const path = join(incoming, 'probe')
  try {
    await writeFile(path, Buffer.alloc(4096), { mode: 0o600 })
    await removeFile(path)
    return { ok: true, detail: `Files in ${folder}` }
  } catch (error) {
    return { ok: false, detail: `No file can be written to ${folder}: ${messageOf(error)}` }
  }
}
