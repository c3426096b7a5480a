// `npm run check`: a use case of auth can be read with what it stands on. Its reach is the files of the room that it
// imports, directly or through others, types included.
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importsOf, readSources } from './sources.js'

const room = 'server/src/services/auth/'
const maxReach = 40

/**
 * The use cases that reach further than `limit`, as `sso/acs.ts: 47`. A use case is any file in a folder of the room, but
 * those that bind the others together: `routes.ts`, and what makes the feature (`createX` in `create-x.ts` or `x/x.ts`).
 */
export function farReaching(files, limit = maxReach) {
  const graph = new Map(files.map((file) => [file.path, importsOf(file).filter((path) => path.startsWith(room))]))
  return files
    .filter(isUseCase)
    .map(({ path }) => [path.slice(room.length), reachOf(path, graph)])
    .filter(([, reach]) => reach > limit)
    .map(([path, reach]) => `${path}: ${reach}`)
}

function isUseCase({ path, text }) {
  const folder = posix.dirname(path)
  if (!folder.startsWith(room)) return false
  const name = posix.basename(path, '.ts')
  const canBind = name.startsWith('create-') || name === posix.basename(folder)
  return name !== 'routes' && !(canBind && /^export (const|function) create[A-Z]/m.test(text))
}

function reachOf(start, graph) {
  const reached = new Set()
  const visit = (path) => {
    for (const next of graph.get(path) ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      visit(next)
    }
  }
  visit(start)
  reached.delete(start)
  return reached.size
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = farReaching(readSources(room))
  for (const one of found) process.stderr.write(`A use case reaches more than ${maxReach} files of auth: ${one}\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}
