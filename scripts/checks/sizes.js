// `node scripts/checks/sizes.js`: functions, folders and the composition stay within what a reader holds at once. It fails on
// functions over 80 lines, on folders over 20 files (`providers` and `ui`, lists by nature, aside) and when the part of
// `compose.ts` that opens the services has over 60 lines; files over 300 lines are only told.
import { createRequire } from 'node:module'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSources } from './sources.js'

const swc = createRequire(import.meta.url)('@swc/core')
const functionTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'MethodProperty',
  'ClassMethod',
])

/** The functions of a file, the outermost of each nest: `{ path, line, lines, name }`. */
export function functionsOf({ path, text }) {
  const bytes = Buffer.from(text)
  const module = swc.parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2022' })
  // swc counts bytes, from 1.
  const lineAt = (offset) =>
    bytes
      .subarray(0, offset - 1)
      .toString()
      .split('\n').length
  const found = []
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    if (functionTypes.has(node.type) && node.span !== undefined) {
      const line = lineAt(node.span.start)
      found.push({ path, line, lines: lineAt(node.span.end) - line + 1, name: node.identifier?.value })
      // A function within one is a part of it: a plugin of routes counts once.
      return
    }
    for (const child of Array.isArray(node) ? node : Object.values(node)) visit(child)
  }
  visit(module.body)
  return found
}

/** Folders with more than 20 files. */
export function fullFolders(paths) {
  const counts = new Map()
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  return [...counts].filter(([folder, count]) => count > 20 && !/\/(providers|ui)$/.test(folder))
}

/** The functions of `files` that are longer than their limit, longest first. */
export function longFunctions(files) {
  return files
    .flatMap(functionsOf)
    .filter(({ name, lines }) => lines > (name === 'openServices' ? 60 : 80))
    .sort((a, b) => b.lines - a.lines)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = [...readSources('server/src'), ...readSources('console/src')].filter(
    ({ path }) => !path.includes('.gen.'),
  )
  const print = (title, lines) => {
    if (lines.length > 0)
      process.stdout.write(`${title}: ${lines.length}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  }
  const long = longFunctions(files)
  const full = fullFolders(files.map(({ path }) => path))
  const large = files.map(({ path, text }) => [path, text.split('\n').length]).filter(([, lines]) => lines > 300)
  print(
    'functions over 80 lines (`openServices`: 60)',
    long.map(({ path, line, lines }) => `${lines} ${path}:${line}`),
  )
  print(
    'folders over 20 files',
    full.map(([folder, count]) => `${count} ${folder}`),
  )
  print(
    'files over 300 lines',
    large.sort((a, b) => b[1] - a[1]).map(([path, lines]) => `${lines} ${path}`),
  )
  if (long.length > 0 || full.length > 0) process.exitCode = 1
}
