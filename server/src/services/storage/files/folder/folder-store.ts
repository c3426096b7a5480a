import { closeSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { messageOf } from '../../../../ground/errors/message.ts'
import type { FileId, FileStore, ListedFile, PutOptions, ReceivedFile } from '../file-store.ts'
import { consuming, createSink, readInto, receive } from '../receive.ts'
import { createDurableFile, writeDurably } from './durable-file.ts'
import { createFolderSync, type FolderSync } from './folder-sync.ts'
import { createJoinedFiles, type JoinedFiles } from './joined-files.ts'
import { type FolderLayout, fileIdOf, finishedPath, layoutOf, partialPath, shardOf } from './layout.ts'
import { createFile, createNewFile, datasync, type NewFile } from './new-file.ts'
import { createPartialFiles } from './partial-files.ts'
import { openFile, readFileInto, syncFile, translated } from './write-file.ts'

/**
 * Files in a folder, each under its id. One that is being received has its name already: nothing names it before its bytes
 * and that name are flushed, and one that a crash leaves is removed as every file without a row. Without a rename, the
 * file and its name are flushed by one commit of the file system's journal.
 *
 * @param folder made where it is missing. Nothing else is in it
 * @throws errors of the file system for a folder that cannot be used
 */
export async function createFolderStore(folder: string): Promise<FileStore> {
  const layout = layoutOf(folder)
  for (const each of [layout.finished, layout.partial]) await mkdir(each, { recursive: true, mode: 0o700 })
  await syncFile(folder)

  const shards = createFolderSync()
  /** For the first file of its folder. */
  const createShard = async (id: FileId): Promise<void> => {
    const shard = shardOf(layout, id)
    await mkdir(shard, { recursive: true, mode: 0o700 })
    shards.forget(shard)
    await syncFile(layout.finished)
  }
  const placed: Placed = async (id, place) => {
    try {
      return await place()
    } catch (error) {
      if (!isMissing(error)) throw error
      await createShard(id)
      return place()
    }
  }
  const move = async (path: string, to: string, id: FileId): Promise<void> => {
    await placed(id, () => rename(path, to))
    await shards.sync(shardOf(layout, id))
  }
  const joined = createJoinedFiles(layout, move)

  const { put, putShort } = createWriters(layout, shards, placed)
  const { get, read } = createReaders(layout, joined)

  return {
    put,
    putShort,
    get,
    read,
    pathOf: (id) => finishedPath(layout, id),
    copy: async (from, to) =>
      consuming(await get(from), (body) => put(to, body, { limitBytes: Number.POSITIVE_INFINITY })),
    join: (parts, to) => translated(() => joined.join(parts, to)),
    async remove(ids) {
      for (const id of ids) {
        if (await removeFile(finishedPath(layout, id))) continue
        // A file that grows, or the folder of one that was being joined.
        await rm(partialPath(layout, id), { recursive: true, force: true })
        await joined.remove(id)
      }
    },
    list: () => listFiles(layout, joined),
    partial: createPartialFiles(layout, move),
    health: () => describeHealth(folder, layout),
    close: () => shards.close(),
  }
}

/** Puts something into the folder of a file. */
type Placed = <T>(id: FileId, place: () => Promise<T>) => Promise<T>

/** Files that come whole: on the disk, with their names, when they resolve. */
function createWriters(layout: FolderLayout, shards: FolderSync, placed: Placed): Pick<FileStore, 'put' | 'putShort'> {
  /** @param write fills the file; nothing is left when it fails */
  const store = (id: FileId, limitBytes: number, write: (file: NewFile) => Promise<void>): Promise<ReceivedFile> =>
    translated(async () => {
      const path = finishedPath(layout, id)
      const create = () => placed(id, () => createFile(path))
      const file = createNewFile(create, limitBytes)
      try {
        await write(file)
        const descriptor = await file.end()
        // At once: both wait for the same commit of the file system's journal.
        await Promise.all([datasync(descriptor), shards.sync(shardOf(layout, id))])
        return file.describe()
      } catch (error) {
        if (file.isCreated()) await removeFile(path)
        throw error
      } finally {
        file.close()
      }
    })
  const put = (id: FileId, body: Readable, { limitBytes, signal }: PutOptions): Promise<ReceivedFile> =>
    store(id, limitBytes, (file) => receive(body, createSink(file.write), signal))
  const putShort = (id: FileId, bytes: Buffer): Promise<void> =>
    translated(async () => {
      const path = finishedPath(layout, id)
      const descriptor = await placed(id, () => createDurableFile(path))
      try {
        // At once: both wait for the same commit of the file system's journal.
        const named = shards.sync(shardOf(layout, id))
        named.catch(() => undefined)
        await writeDurably(descriptor, bytes)
        await named
      } catch (error) {
        await removeFile(path)
        throw error
      } finally {
        // It waits for nothing: the bytes are written.
        closeSync(descriptor)
      }
    })
  return { put, putShort }
}

/** Files that were stored as one, and those that were joined. */
function createReaders(layout: FolderLayout, joined: JoinedFiles): Pick<FileStore, 'get' | 'read'> {
  const reading = <T>(whole: () => Promise<T>, ofParts: () => Promise<T>): Promise<T> =>
    translated(() =>
      whole().catch((error: unknown) => {
        if (!isMissing(error)) throw error
        return ofParts()
      }),
    )
  return {
    get: (id, range) =>
      reading(
        async () => openFile(finishedPath(layout, id), range),
        () => joined.open(id, range),
      ),
    read: (id, memory) =>
      reading(
        async () => readFileInto(memory, finishedPath(layout, id)),
        async () => readInto(memory, await joined.open(id)),
      ),
  }
}

async function* listFiles(layout: FolderLayout, joined: JoinedFiles): AsyncGenerator<ListedFile> {
  for (const shard of await readdir(layout.finished)) yield* listFolder(join(layout.finished, shard), joined)
  for await (const file of listFolder(layout.partial, joined)) yield { ...file, partial: true }
}

async function* listFolder(folder: string, joined: JoinedFiles): AsyncGenerator<ListedFile> {
  for (const name of await readdir(folder)) {
    const id = fileIdOf(name)
    // One that was removed meanwhile is no file.
    const found = id === null ? null : await stat(join(folder, name)).catch(() => null)
    if (id === null || found === null) continue
    const sizeBytes = name === id ? found.size : await joined.size(id).catch(() => 0)
    yield { id, sizeBytes, modifiedAt: found.mtime, partial: false }
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Removes a file; an absent one is no error. @returns whether it was there */
const removeFile = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    (error: unknown) => {
      if (!isMissing(error)) throw error
      return false
    },
  )

/** Tries to write a file. */
async function describeHealth(folder: string, { partial }: FolderLayout): ReturnType<FileStore['health']> {
  const path = join(partial, 'probe')
  try {
    await writeFile(path, Buffer.alloc(4096), { mode: 0o600 })
    await removeFile(path)
    return { ok: true, detail: `Files in ${folder}` }
  } catch (error) {
    return { ok: false, detail: `No file can be written to ${folder}: ${messageOf(error)}` }
  }
}
