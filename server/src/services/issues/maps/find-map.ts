import type { Frame } from '../exception/model.ts'
import type { BuiltFile } from './store.ts'

/** The path of a built file's address, without a slash before it; null for what is none. */
export function pathOf(file: string): string | null {
  const path = file
    .replace(/[?#].*$/, '')
    .replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, '')
    .replace(/^\/+/, '')
  return path === '' ? null : path
}

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * The built file that a frame is in: by its chunk id, else by the longest path that its address ends with, of its
 * release where there is one, else of none; where the exception names no release, the latest upload.
 *
 * @param files the latest upload first
 */
export function findBuiltFile(
  { file, chunkId }: Pick<Frame, 'file' | 'chunkId'>,
  release: string | null,
  files: readonly BuiltFile[],
): BuiltFile | null {
  const byChunk = chunkId === null ? undefined : files.find((each) => each.chunkId === chunkId)
  if (byChunk !== undefined) return byChunk
  const path = file === null ? null : pathOf(file)
  if (path === null) return null
  const fitting = files
    .filter((each) => path === each.path || path.endsWith(`/${each.path}`))
    .toSorted((one, other) => other.path.length - one.path.length)
  const ofRelease = (name: string) => fitting.find((each) => each.release === name)
  if (release === null) return fitting[0] ?? null
  return ofRelease(release) ?? ofRelease('') ?? null
}
