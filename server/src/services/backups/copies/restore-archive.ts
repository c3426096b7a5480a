import { chmod, mkdir, symlink } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { movable, type Threads, taskModule } from '../../../engines/threads/index.ts'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'
import type { Archive, FilePart, PieceLine } from './index-lines.ts'
import type { PieceTask } from './piece-task.ts'
import { pieceNameOf } from './pieces.ts'
import { readIndex } from './read-index.ts'

/** Pieces that are on their way at once: more than there are threads, so that each finds the next one. */
const most = 8
/** Of the permissions of a file, that of its owner to write. */
const writable = 0o200
const task = taskModule('./piece-task', import.meta.url)

export interface RestoreArchiveDeps {
  readonly target: Pick<BackupTarget, 'get' | 'fileOf'>
  /** Pieces are read, digested and written there. */
  readonly threads: Pick<Threads, 'run'>
  /** Whether the files are to outlive a power cut, once all are flushed. */
  readonly isKept: boolean
  /** Told of the bytes that were written. */
  readonly progress: (bytes: number) => void
}

/**
 * Writes an archive's files into a folder, every byte checked by its digest.
 *
 * @param folder made where it is missing
 * @throws CLEW_BACKUP_DAMAGED
 */
export async function restoreArchive(
  archive: Pick<Archive, 'index'>,
  folder: string,
  deps: RestoreArchiveDeps,
): Promise<void> {
  const place = createPlace(folder)
  await place.folder('')
  const writing = new Set<Promise<void>>()
  try {
    for await (const line of readIndex(deps.target, archive)) {
      if (line.kind === 'folder') await chmod(await place.folder(line.path), line.mode)
      else if (line.kind === 'link') await symlink(line.to, await place.file(line.path))
      else {
        const parts = await place.parts(line.parts)
        if (writing.size >= most) await Promise.race(writing)
        const piece = restorePiece({ ...line, parts }, deps).then(() => {
          writing.delete(piece)
        })
        writing.add(piece)
        // Told where it is waited for.
        piece.catch(() => undefined)
      }
    }
    await Promise.all(writing)
    await place.end()
  } finally {
    // Nothing is written any more when it throws: the caller removes the folder.
    await Promise.allSettled(writing)
  }
}

/** @param line with the paths of its parts on the disk */
async function restorePiece(line: PieceLine, deps: RestoreArchiveDeps): Promise<void> {
  const { target, threads, isKept, progress } = deps
  const name = pieceNameOf(line.sha256)
  const sizeBytes = line.parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  const from = target.fileOf(name) ?? new Uint8Array(movable(await target.get(name)))
  const input: PieceTask = { ...line, from, isKept }
  await threads.run<null>({ module: task, input, transfer: typeof from === 'string' ? [] : [from.buffer], sizeBytes })
  progress(sizeBytes)
}

const isWhole = ({ sizeBytes, fileBytes }: FilePart): boolean => sizeBytes === fileBytes

/** The folder that an archive is restored into; what lies above a file is made. */
function createPlace(folder: string) {
  const root = normalize(folder)
  const made = new Map<string, Promise<unknown>>()
  const readOnly = new Map<string, number>()
  const pathIn = (path: string): string => {
    const whole = normalize(join(root, path))
    if (whole !== root && !whole.startsWith(`${root}/`))
      throw backupsError('CLEW_BACKUP_DAMAGED', { message: `A file of the backup lies outside of its folder: ${path}` })
    return whole
  }
  const make = async (path: string): Promise<string> => {
    const making = made.get(path) ?? mkdir(path, { recursive: true, mode: 0o700 })
    made.set(path, making)
    await making
    return path
  }
  const file = async (path: string): Promise<string> => {
    const whole = pathIn(path)
    await make(dirname(whole))
    return whole
  }
  return {
    folder: (path: string): Promise<string> => make(pathIn(path)),
    file,
    async parts(parts: readonly FilePart[]): Promise<readonly FilePart[]> {
      const placed: FilePart[] = []
      for (const part of parts) {
        const path = await file(part.path)
        // Each part of a large file opens it anew.
        if (!isWhole(part) && (part.mode & writable) === 0) readOnly.set(path, part.mode)
        placed.push({ ...part, path, mode: isWhole(part) ? part.mode : part.mode | writable })
      }
      return placed
    },
    /** Called when all parts are written. */
    async end(): Promise<void> {
      for (const [path, mode] of readOnly) await chmod(path, mode)
    },
  }
}
