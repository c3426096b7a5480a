import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** A built file's source map. */
export interface FoundMap {
  /** The built file's, below the folder, with slashes. */
  readonly path: string
  /** posthog's id of the built file; null where it has none. */
  readonly chunkId: string | null
  readonly content: Buffer
}

const built = /\.[cm]?js$/
const mapComment = /\/[/*][#@]\s*sourceMappingURL=([^\s*'"]+)/g
const chunkComment = /\/\/[#@]\s*chunkId=([\w-]{1,100})/
const dataUrl = /^data:application\/json[^,]*;base64,/

/** The source maps of the built files below a folder: named by a comment (ECMA-426), or beside the file. */
export async function findMaps(folder: string): Promise<readonly FoundMap[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && built.test(entry.name))
  const found: FoundMap[] = []
  for (const file of files.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(file.parentPath, file.name)
    const text = await readFile(path, 'utf8')
    const content = await contentOf(folder, path, [...text.matchAll(mapComment)].at(-1)?.[1] ?? `${file.name}.map`)
    const chunkId = chunkComment.exec(text)?.[1] ?? null
    if (content !== null) found.push({ path: relative(folder, path).split(sep).join('/'), chunkId, content })
  }
  return found
}

/** @param url of the map, relative to the built file, or with the map in it */
async function contentOf(folder: string, path: string, url: string): Promise<Buffer | null> {
  if (dataUrl.test(url)) return Buffer.from(url.replace(dataUrl, ''), 'base64')
  if (/^[a-z][\w+.-]*:/i.test(url)) return null
  const map = resolve(dirname(path), decodeURIComponent(url.replace(/[?#].*$/, '')))
  // What a built file names outside the folder is not for an upload.
  if (!map.startsWith(resolve(folder) + sep)) return null
  return readFile(map).catch(() => null)
}
