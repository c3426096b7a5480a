import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { filesOf } from './files.ts'
import { isInside, type ProjectFunction } from './project-folder.ts'

/** Specifiers of files: in imports, exports, `import()` and `new URL(…, import.meta.url)`. */
const specifierForm = /(?:from|import|URL)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g
const sourceForm = /\.[cm]?[jt]sx?$/

/**
 * The files that a deployment of a function sends, relative to the project: its own, shared ones, and what these import
 * from elsewhere in the project.
 */
export async function deployedFilesOf(project: string, source: ProjectFunction): Promise<readonly string[]> {
  const files = new Set((await filesOf(project, source)).map((path) => path.replaceAll('\\', '/')))
  // Files that are found on the way are looked at in their turn.
  for (const file of files) {
    if (!sourceForm.test(file)) continue
    for (const [, , specifier = ''] of (await readFile(join(project, file), 'utf8')).matchAll(specifierForm)) {
      const path = posix.join(dirname(file), specifier)
      if (isInside(project, join(project, path)) && existsSync(join(project, path)) && posix.extname(path) !== '')
        files.add(path)
    }
  }
  return [...files].sort()
}
