import { constants, copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ByteRange, FileId } from '../file-store.ts'
import { concatenated } from '../receive.ts'
import { type FolderLayout, finishedPath, joinedPath, partialPath } from './layout.ts'
import { openFile, syncFile } from './write-file.ts'

/**
 * Files that are joined from others without a copy of their bytes: a folder of links to them, each named by its place and
 * its size.
 */
export interface JoinedFiles {
  /** @returns the size of the joined file. Rejects with ENOENT where a part is absent. */
  join(parts: readonly FileId[], to: FileId): Promise<number>
  /** Rejects with ENOENT. */
  open(id: FileId, range?: ByteRange): Promise<Readable>
  /** Removes a file once those who read it are done. An absent one is no error. */
  remove(id: FileId): Promise<void>
  /** Rejects with ENOENT. */
  size(id: FileId): Promise<number>
}

interface Segment {
  readonly name: string
  readonly start: number
  readonly sizeBytes: number
}

/** @param move moves a folder into its place among the finished files, durably */
export function createJoinedFiles(
  layout: FolderLayout,
  move: (path: string, to: string, id: FileId) => Promise<void>,
): JoinedFiles {
  const readers = new Map<FileId, number>()
  const toRemove = new Set<FileId>()
  const segmentsOf = async (id: FileId): Promise<readonly Segment[]> =>
    parseSegments(await readdir(joinedPath(layout, id)))
  const removeNow = async (id: FileId): Promise<void> => {
    toRemove.delete(id)
    await rm(joinedPath(layout, id), { recursive: true, force: true })
  }
  const release = (id: FileId): void => {
    const others = (readers.get(id) ?? 1) - 1
    if (others > 0) {
      readers.set(id, others)
      return
    }
    readers.delete(id)
    // What is left by a failure has no row: the sweeper finds it.
    if (toRemove.has(id)) removeNow(id).catch(() => undefined)
  }
  return {
    async join(parts, to) {
      const path = partialPath(layout, to)
      await mkdir(path, { mode: 0o700 })
      try {
        let sizeBytes = 0
        for (const [index, part] of parts.entries()) {
          const from = finishedPath(layout, part)
          const { size } = await stat(from)
          await linkOrCopy(from, join(path, nameOf(index, size)))
          sizeBytes += size
        }
        await syncFile(path)
        await move(path, joinedPath(layout, to), to)
        return sizeBytes
      } catch (error) {
        await rm(path, { recursive: true, force: true })
        throw error
      }
    },
    async open(id, range) {
      readers.set(id, (readers.get(id) ?? 0) + 1)
      try {
        const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY }
        const asked = (await segmentsOf(id)).filter(
          (segment) => segment.start <= end && segment.start + segment.sizeBytes > start,
        )
        const body = concatenated(
          asked.map((segment) => () => {
            const last = Math.min(end - segment.start, segment.sizeBytes - 1)
            return openFile(join(joinedPath(layout, id), segment.name), {
              start: Math.max(0, start - segment.start),
              end: last,
            })
          }),
        )
        return body.once('close', () => release(id))
      } catch (error) {
        release(id)
        throw error
      }
    },
    async remove(id) {
      if (readers.has(id)) toRemove.add(id)
      else await removeNow(id)
    },
    async size(id) {
      const last = (await segmentsOf(id)).at(-1)
      return last === undefined ? 0 : last.start + last.sizeBytes
    },
  }
}

const nameOf = (index: number, sizeBytes: number): string => `${String(index).padStart(5, '0')}-${sizeBytes}`

function parseSegments(names: readonly string[]): readonly Segment[] {
  let start = 0
  return [...names].sort().map((name) => {
    const sizeBytes = Number(name.slice(name.indexOf('-') + 1))
    const segment = { name, start, sizeBytes }
    start += sizeBytes
    return segment
  })
}

/** What file systems without links, or with few, answer. */
const unlinkable = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'])

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (!unlinkable.has(error.code ?? '')) throw error
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    await syncFile(to)
  })
}
