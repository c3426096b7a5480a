import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf } from '../../../ground/errors/message.ts'
import { backupsError } from '../errors.ts'
import type { BackupTarget, ListedPiece } from './target.ts'

const draftEnding = '.new'

/** Pieces as files of a folder, readable by its owner alone. @param folder made by the first piece */
export function openFolderTarget(folder: string): BackupTarget {
  /** Folders whose entries are not flushed yet. */
  const unsettled = new Set<string>()
  const pathOf = (name: string): string => join(folder, name)

  const write = async (name: string, bytes: Buffer): Promise<void> => {
    const path = pathOf(name)
    const draft = `${path}.${randomUUID()}${draftEnding}`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    unsettled.add(dirname(path))
  }

  return {
    name: folder,
    put: (name, bytes) =>
      write(name, bytes).catch((cause: unknown) => {
        throw backupsError('CLEW_BACKUP_TARGET', { message: `${folder} cannot be written: ${messageOf(cause)}`, cause })
      }),
    has: (name) =>
      stat(pathOf(name)).then(
        () => true,
        () => false,
      ),
    get: (name) =>
      readWhole(pathOf(name)).catch((cause: unknown) => {
        throw backupsError('CLEW_BACKUP_DAMAGED', { message: `${pathOf(name)}: ${messageOf(cause)}`, cause })
      }),
    fileOf: pathOf,
    list: (prefix) => listFiles(folder, prefix),
    remove: (name) => rm(pathOf(name), { force: true }),
    async settle() {
      for (const each of unsettled) await syncFolder(each)
      unsettled.clear()
      await syncFolder(folder)
    },
    close: () => undefined,
  }
}

/** In one read where the system gives it: `readFile` takes half a MiB at a time and puts the pieces together. */
async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const bytes = Buffer.allocUnsafeSlow(size)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await file.read(bytes, filled, size - filled, filled)
      if (bytesRead === 0) return bytes.subarray(0, filled)
      filled += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

async function* listFiles(folder: string, prefix: string): AsyncGenerator<ListedPiece, void> {
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true }).catch(ignoreMissing)) {
    const name = join(prefix, entry.name)
    if (entry.isDirectory()) yield* listFiles(folder, name)
    else if (entry.name.endsWith(draftEnding)) yield* []
    else {
      // A clean-up of another process removes pieces meanwhile.
      const found = await stat(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        ignoreMissing(error)
        return null
      })
      if (found !== null) yield { name, sizeBytes: found.size }
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return []
  throw backupsError('CLEW_BACKUP_TARGET', { message: `The folder cannot be read: ${error.message}`, cause: error })
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
