// What the checks of the sources' structure share: the files, and who imports whom.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The sources below a folder of the repository, tests aside: paths from the root with `/`, each with its text. */
export function readSources(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && !/\.test\.tsx?$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .map((path) => ({ path: relative(root, path).replaceAll(sep, '/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The files that a file imports or exports from by a relative path, as paths like its own. */
export function importsOf({ path, text }) {
  const sources = text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'/gm)
  return [...sources].map(([, from, bare]) => posix.normalize(posix.join(dirname(path), from ?? bare)))
}
