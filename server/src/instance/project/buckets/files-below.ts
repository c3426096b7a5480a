import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'

/** A file with its name below the folder that was asked for. */
export interface FileBelow {
  readonly path: string
  /** With slashes: `a/b.png`; of a single file its own name. */
  readonly name: string
}

/** The files of a folder and of those below it by name, or the file itself; links and devices are left out. */
export async function* filesBelow(path: string, root = path): AsyncGenerator<FileBelow> {
  if ((await stat(path)).isFile()) return yield { path, name: basename(path) }
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = join(path, entry.name)
    if (entry.isDirectory()) yield* filesBelow(place, root)
    else if (entry.isFile()) yield { path: place, name: relative(root, place).split(sep).join('/') }
  }
}
