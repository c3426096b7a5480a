import { createHash } from 'node:crypto'
import type { BackupTarget } from '../target/target.ts'
import type { Archive, FilePart, IndexLine } from './index-lines.ts'
import type { KnownPieces } from './known-pieces.ts'
import { digestGivingWay, digestOf, pieceNameOf } from './pieces.ts'

/** A file to be copied. */
export interface CopiedFile extends Pick<FilePart, 'path' | 'mode' | 'modifiedMs'> {
  readonly sizeBytes: number
  /** Its bytes; null where the file is gone, and may be. */
  read(offset: number, length: number): Promise<Buffer | null>
  /** Called when no more is read of a file that was read in parts. */
  close(): Promise<void>
  /**
   * Bytes come in order and once, as of an archive; those of a large file are there until more is read. Else they are read
   * when their piece is made, if at all.
   */
  readonly isStream: boolean
  /** Its bytes stay while its name does: with the size and time of an earlier backup they are that backup's. */
  readonly isImmutable: boolean
}

export interface ArchiveWriter {
  file(file: CopiedFile): Promise<void>
  folder(path: string, mode: number): Promise<void>
  link(path: string, to: string): Promise<void>
  /** Resolves when nothing more is read of the files that were added. */
  flush(): Promise<void>
  /** Writes what is left, and the index. */
  end(): Promise<Archive>
}

export interface ArchiveDeps {
  readonly target: Pick<BackupTarget, 'put' | 'has'>
  /** Pieces of earlier backups. */
  readonly known: KnownPieces
  /** Waits until so many bytes more may be read. */
  readonly pace: (bytes: number) => Promise<void>
  /** Told of the bytes of each piece. */
  readonly progress: (bytes: number) => void
}

const pieceBytes = 4 * 1024 * 1024
/** Files from this size on have pieces of their own. */
const largeBytes = 1024 * 1024
/** Small files share a piece; one in so many, by its name, begins another: a new file changes no more than its own piece. */
const filesPerPiece = 64

/** A part, and its bytes where they had to be taken. */
interface PendingPart extends FilePart {
  readonly file: CopiedFile
  readonly bytes: Buffer | null
}

/**
 * Cuts files into pieces of up to 4 MiB and stores those that the target does not have. Where a piece ends depends on the
 * files alone, so that what has not changed gives equal pieces. One piece is in memory at a time.
 */
export function createArchiveWriter(name: string, deps: ArchiveDeps): ArchiveWriter {
  const index = createIndexWriter(deps.target)
  let pending: PendingPart[] = []
  let pendingBytes = 0
  let files = 0
  let sizeBytes = 0
  let newBytes = 0

  const flush = async (): Promise<void> => {
    if (pending.length === 0) return
    const parts = pending
    pending = []
    pendingBytes = 0
    const stored = await storePiece(parts, deps)
    newBytes += stored.newBytes
    sizeBytes += stored.parts.reduce((sum, part) => sum + part.sizeBytes, 0)
    if (stored.parts.length > 0) await index.add({ kind: 'piece', sha256: stored.sha256, parts: stored.parts })
  }

  const add = async (file: CopiedFile, offset: number, length: number): Promise<void> => {
    const { path, mode, modifiedMs, sizeBytes: fileBytes } = file
    const bytes = file.isStream ? await file.read(offset, length) : null
    pending.push({ path, mode, modifiedMs, fileBytes, offset, sizeBytes: length, file, bytes })
    pendingBytes += length
  }

  return {
    async file(file) {
      files += 1
      const isLarge = file.sizeBytes >= largeBytes
      if (isLarge || pendingBytes + file.sizeBytes > pieceBytes || beginsPiece(file.path)) await flush()
      if (!isLarge) return add(file, 0, file.sizeBytes)
      try {
        for (let offset = 0; offset < file.sizeBytes; offset += pieceBytes) {
          await add(file, offset, Math.min(pieceBytes, file.sizeBytes - offset))
          await flush()
        }
      } finally {
        await file.close()
      }
    },
    async folder(path, mode) {
      await flush()
      await index.add({ kind: 'folder', path, mode })
    },
    async link(path, to) {
      await flush()
      await index.add({ kind: 'link', path, to })
    },
    flush,
    async end() {
      await flush()
      return { name, files, sizeBytes, newBytes, index: await index.end() }
    },
  }
}

const beginsPiece = (path: string): boolean =>
  createHash('sha256').update(path).digest().readUInt32BE(0) % filesPerPiece === 0

/** Stores the bytes of some parts as one piece; files that are gone by now are left out. */
async function storePiece(pending: readonly PendingPart[], { target, known, pace, progress }: ArchiveDeps) {
  const describe = ({ file: _file, bytes: _bytes, ...part }: PendingPart): FilePart => part
  const wanted = pending.map(describe)
  const isImmutable = pending.every(({ file }) => file.isImmutable)
  const before = isImmutable ? known.find(wanted) : null
  if (before !== null && (await target.has(pieceNameOf(before)))) {
    progress(wanted.reduce((sum, part) => sum + part.sizeBytes, 0))
    return { sha256: before, parts: wanted, newBytes: 0 }
  }
  const parts: FilePart[] = []
  const contents: Buffer[] = []
  for (const part of pending) {
    const bytes = part.bytes ?? (await part.file.read(part.offset, part.sizeBytes))
    if (bytes === null) continue
    parts.push(describe(part))
    contents.push(bytes)
  }
  const [only] = contents
  const bytes = contents.length === 1 && only !== undefined ? only : Buffer.concat(contents)
  await pace(bytes.length)
  const sha256 = digestGivingWay(bytes)
  const isNew = parts.length > 0 && !(await target.has(pieceNameOf(sha256)))
  if (isNew) await target.put(pieceNameOf(sha256), bytes)
  progress(bytes.length)
  return { sha256, parts, newBytes: isNew ? bytes.length : 0 }
}

/** The index in pieces of its own, cut after whole lines. */
function createIndexWriter(target: ArchiveDeps['target']) {
  const pieces: string[] = []
  let lines: string[] = []
  let length = 0
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.join(''))
    lines = []
    length = 0
    const sha256 = digestOf(bytes)
    if (!(await target.has(pieceNameOf(sha256)))) await target.put(pieceNameOf(sha256), bytes)
    pieces.push(sha256)
  }
  return {
    async add(line: IndexLine): Promise<void> {
      const text = `${JSON.stringify(line)}\n`
      lines.push(text)
      length += text.length
      if (length >= pieceBytes) await flush()
    },
    async end(): Promise<readonly string[]> {
      await flush()
      return pieces
    },
  }
}
