import { type FileHandle, lstat, open, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopiedFile } from '../copies/archive-writer.ts'

/** An entry of a folder, in the order of names: equal folders give equal pieces. */
export type FolderEntry =
  | { readonly kind: 'file'; readonly file: CopiedFile }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }

export interface FolderOptions {
  /** Whether files keep their bytes under their names. */
  readonly isImmutable: boolean
  /** Whether files may go while they are copied, and are left out then. */
  readonly mayGo: boolean
  /** Decides by the path within the folder, with slashes; everything is taken by default. */
  readonly takes?: (path: string) => boolean
}

/** The files and links below a folder; none where it is not there. */
export async function* walkFolder(
  folder: string,
  { isImmutable, mayGo, takes = () => true }: FolderOptions,
  below = '',
): AsyncGenerator<FolderEntry, void> {
  const names = await readdir(join(folder, below)).catch(ignoreMissing)
  for (const name of (names ?? []).sort()) {
    const path = below === '' ? name : `${below}/${name}`
    if (!takes(path)) continue
    const found = await lstat(join(folder, path)).catch(ignoreMissing)
    if (found === null) continue
    if (found.isDirectory()) yield* walkFolder(folder, { isImmutable, mayGo, takes }, path)
    else if (found.isSymbolicLink()) yield { kind: 'link', path, to: await readlink(join(folder, path)) }
    else if (found.isFile())
      yield {
        kind: 'file',
        file: fileAt(join(folder, path), mayGo, {
          path,
          sizeBytes: found.size,
          mode: found.mode & 0o777,
          modifiedMs: Math.floor(found.mtimeMs),
          isImmutable,
        }),
      }
  }
}

/** A file of the disk. A large one stays open until it is closed: one that is removed meanwhile is read to its end. */
function fileAt(onDisk: string, mayGo: boolean, facts: Omit<CopiedFile, 'read' | 'close' | 'isStream'>): CopiedFile {
  let opened: FileHandle | null = null
  const close = async (): Promise<void> => {
    const handle = opened
    opened = null
    await handle?.close()
  }
  return {
    ...facts,
    isStream: false,
    close,
    async read(offset, length) {
      opened ??= await open(onDisk, 'r').catch(mayGo ? ignoreMissing : rethrow)
      if (opened === null) return null
      try {
        return await readExactly(opened, onDisk, offset, length)
      } finally {
        if (length === facts.sizeBytes) await close()
      }
    },
  }
}

async function readExactly(handle: FileHandle, path: string, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, offset + read)
    if (bytesRead === 0) throw new Error(`${path} became shorter while it was copied.`)
    read += bytesRead
  }
  return bytes
}

function rethrow(error: unknown): never {
  throw error
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
