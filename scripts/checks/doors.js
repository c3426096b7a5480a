// `npm run check`: what a room's door (index.ts) exports says what it means, in a comment at its declaration.
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSources } from './sources.js'

/** `{ path, name }` of each export of a door that has no docstring where it is declared. */
export function undocumented(files) {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const doors = files.filter(({ path }) => /^server\/src\/((services|engines)\/)?[^/]+\/index\.ts$/.test(path))
  return doors.flatMap(({ path }) => exportsOf(texts, path)).filter((one) => !isDocumented(texts, one))
}

/** Where each export of a file is declared: `{ path, name }`, over re-exports. */
function exportsOf(texts, path) {
  const text = texts.get(path) ?? ''
  const own = [...text.matchAll(declaration)].map(([, name]) => ({ path, name }))
  const passedOn = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(([, list, from]) =>
    list
      .split(',')
      .map(
        (item) =>
          item
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0],
      )
      .filter((name) => name !== '')
      .flatMap((name) => {
        const source = posix.normalize(posix.join(posix.dirname(path), from))
        return exportsOf(texts, source).filter((one) => one.name === name)
      }),
  )
  return [...own, ...passedOn]
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm

function isDocumented(texts, { path, name }) {
  const lines = (texts.get(path) ?? '').split('\n')
  const at = lines.findIndex(
    (line) => new RegExp(`^export [a-z* ]*\\b${name}\\b`).test(line) && !line.startsWith('export {'),
  )
  const before = lines.slice(0, at).filter((line) => !/^\/\/ biome-ignore/.test(line.trim()))
  return before.at(-1)?.trimEnd().endsWith('*/') ?? false
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = undocumented(readSources('server/src'))
  for (const { path, name } of missing)
    process.stderr.write(`${path}: ${name} is exported by a door without a docstring.\n`)
  process.exitCode = missing.length > 0 ? 1 : 0
}
