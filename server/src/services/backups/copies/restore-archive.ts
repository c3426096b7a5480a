import { chmod, type FileHandle, mkdir, open, symlink } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'
import type { Archive, FilePart, IndexLine } from './index-lines.ts'
import { readPiece } from './pieces.ts'
import { readIndex } from './read-index.ts'

/** Pieces that are fetched ahead of the one that is written. */
const ahead = 4
/** Of large files so much is written before the disk is asked to take it: a last flush of all would come on top. */
const flushBytes = 64 * 1024 * 1024

/**
 * Writes an archive's files into a folder, every byte checked by its digest.
 *
 * @param folder   made where it is missing
 * @param progress told of the bytes that were written
 * @throws CLEW_BACKUP_DAMAGED
 */
export async function restoreArchive(
  target: Pick<BackupTarget, 'get'>,
  archive: Pick<Archive, 'index'>,
  folder: string,
  progress: (bytes: number) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const files = createFileWriter(folder)
  try {
    for await (const [line, bytes] of fetchAhead(target, readIndex(target, archive))) {
      if (line.kind === 'folder') await files.folder(line.path, line.mode)
      else if (line.kind === 'link') await files.link(line.path, line.to)
      else {
        await files.piece(line.parts, bytes)
        progress(bytes.length)
      }
    }
  } finally {
    await files.close()
  }
}

type FetchedLine = readonly [line: IndexLine, bytes: Buffer]

const nothing = Buffer.alloc(0)

/** Lines with their bytes, in order; some more are on their way meanwhile. */
async function* fetchAhead(
  target: Pick<BackupTarget, 'get'>,
  lines: AsyncIterable<IndexLine>,
): AsyncGenerator<FetchedLine, void> {
  const fetching: Promise<FetchedLine>[] = []
  for await (const line of lines) {
    const fetched = line.kind === 'piece' ? readPiece(target, line.sha256) : Promise.resolve(nothing)
    const pair = fetched.then((bytes) => [line, bytes] as const)
    // Told when it is its turn.
    pair.catch(() => undefined)
    fetching.push(pair)
    const first = fetching.length > ahead ? fetching.shift() : undefined
    if (first !== undefined) yield await first
  }
  for (const pair of fetching) yield await pair
}

/** All of some bytes: a disk that fills up may take a part of a write, and refuses the next. */
async function writeAll(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
  }
}

/** Its time is one of the marks by which the next backup knows a file. */
const date = (handle: FileHandle, { modifiedMs }: FilePart): Promise<void> =>
  handle.utimes(modifiedMs / 1000, modifiedMs / 1000)

/** Has the disk take what was written while more is written, and waits where it falls behind. */
function createFlusher() {
  let unflushedBytes = 0
  let flushing: Promise<void> = Promise.resolve()
  return {
    async wrote(handle: FileHandle, moreBytes: number): Promise<void> {
      unflushedBytes += moreBytes
      if (unflushedBytes < flushBytes) return
      unflushedBytes = 0
      await flushing
      flushing = handle.datasync()
      // Told where it is waited for.
      flushing.catch(() => undefined)
    },
    settle: () => flushing,
  }
}

/** Parts of a large file come in order: one of them is open at a time. */
function createFileWriter(folder: string) {
  let current: { readonly path: string; readonly handle: FileHandle } | null = null
  const made = new Set<string>()
  const flusher = createFlusher()

  const pathIn = (path: string): string => {
    const whole = normalize(join(folder, path))
    if (!whole.startsWith(`${normalize(folder)}/`))
      throw backupsError('CLEW_BACKUP_DAMAGED', { message: `A file of the backup lies outside of its folder: ${path}` })
    return whole
  }
  const makeFolder = async (path: string): Promise<void> => {
    if (made.has(path)) return
    await mkdir(path, { recursive: true, mode: 0o700 })
    made.add(path)
  }
  const close = async (): Promise<void> => {
    const open = current
    current = null
    await open?.handle.close()
    await flusher.settle()
  }
  const begin = async ({ path, mode }: FilePart): Promise<FileHandle> => {
    await makeFolder(dirname(pathIn(path)))
    return open(pathIn(path), 'w', mode)
  }
  const writeFile = async (part: FilePart, bytes: Buffer): Promise<void> => {
    const handle = await begin(part)
    try {
      await writeAll(handle, bytes, 0)
      await date(handle, part)
    } finally {
      await handle.close()
    }
  }
  const writePart = async (part: FilePart, bytes: Buffer): Promise<void> => {
    if (current?.path !== part.path) {
      await close()
      current = { path: part.path, handle: await begin(part) }
    }
    await writeAll(current.handle, bytes, part.offset)
    await flusher.wrote(current.handle, bytes.length)
    if (part.offset + part.sizeBytes < part.fileBytes) return
    await date(current.handle, part)
    await close()
  }
  return {
    async folder(path: string, mode: number): Promise<void> {
      await makeFolder(pathIn(path))
      await chmod(pathIn(path), mode)
    },
    async link(path: string, to: string): Promise<void> {
      await makeFolder(dirname(pathIn(path)))
      await symlink(to, pathIn(path))
    },
    /** Whole files of a piece are written at once, parts of large ones in their order. */
    async piece(parts: readonly FilePart[], bytes: Buffer): Promise<void> {
      let at = 0
      const written = await Promise.allSettled(
        parts.map((part) => {
          const own = bytes.subarray(at, at + part.sizeBytes)
          at += part.sizeBytes
          return part.sizeBytes === part.fileBytes ? writeFile(part, own) : writePart(part, own)
        }),
      )
      // Nothing is written any more when it throws: the caller removes the folder.
      for (const each of written) if (each.status === 'rejected') throw each.reason
    },
    close,
  }
}
