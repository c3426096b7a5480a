// `npm run check`: inside a room the imports between folders run one way, as they do between rooms. A folder and the
// folders within it count as one another's own; so a room's files outside of folders may use them and be used.
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importsOf, readSources } from './sources.js'

/** `services/auth`, `gateway`: the room of a file below server/src; null for a file of none. */
export const roomOf = (path) => /^server\/src\/((?:services|engines)\/[^/]+|[^/]+)\//.exec(path)?.[1] ?? null

/** For each room the groups of folders that import each other in a circle, as `services/auth: codes, users`. */
export function circlesIn(files) {
  return [...groupByRoom(files)].flatMap(([room, own]) =>
    room === null ? [] : circles(foldersOf(own, room)).map((folders) => `${room}: ${folders.sort().join(', ')}`),
  )
}

function groupByRoom(files) {
  const rooms = new Map()
  for (const file of files) rooms.set(roomOf(file.path), [...(rooms.get(roomOf(file.path)) ?? []), file])
  return rooms
}

/** Which folder imports from which, by their paths in the room. */
function foldersOf(files, room) {
  const base = `server/src/${room}`
  const graph = new Map()
  for (const file of files)
    for (const target of importsOf(file)) {
      if (!target.startsWith(`${base}/`)) continue
      const [from, to] = [file.path, target].map((path) => posix.relative(base, posix.dirname(path)))
      if (isWithin(from, to) || isWithin(to, from)) continue
      graph.set(from, (graph.get(from) ?? new Set()).add(to))
    }
  return graph
}

const isWithin = (inner, outer) => inner === outer || outer === '' || inner.startsWith(`${outer}/`)

/** The strongly connected groups of more than one (Tarjan). */
function circles(graph) {
  const found = []
  const order = new Map()
  const lowest = new Map()
  const stack = []
  const visit = (folder) => {
    order.set(folder, order.size)
    lowest.set(folder, order.get(folder))
    stack.push(folder)
    for (const next of graph.get(folder) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(folder, Math.min(lowest.get(folder), lowest.get(next)))
    }
    if (lowest.get(folder) !== order.get(folder)) return
    const group = stack.splice(stack.indexOf(folder))
    if (group.length > 1) found.push(group)
  }
  for (const folder of graph.keys()) if (!order.has(folder)) visit(folder)
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = circlesIn(readSources('server/src'))
  for (const circle of found) process.stderr.write(`Folders import each other in a circle: ${circle}\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}
