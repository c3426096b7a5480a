// `node scripts/sizes.js`: files, functions and folders that have grown beyond what a reader holds at once. A report, and
// no gate: functions over 80 lines, folders over 20 files (`providers` and `ui`, lists by nature, aside), files over 300.
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

/** The functions of a file, the outermost of each nest: `{ path, line, lines }`, longest first. */
export function functionsOf({ path, text }) {
  const bytes = Buffer.from(text)
  // swc counts bytes from 1, and goes on counting from file to file.
  const module = swc.parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2022' })
  const base = module.span.end - bytes.length
  const lineAt = (offset) =>
    bytes
      .subarray(0, Math.max(0, offset - base))
      .toString()
      .split('\n').length
  const found = []
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    if (functionTypes.has(node.type) && node.span !== undefined) {
      const line = lineAt(node.span.start)
      found.push({ path, line, lines: lineAt(node.span.end) - line + 1 })
    }
    for (const child of Array.isArray(node) ? node : Object.values(node)) visit(child)
  }
  visit(module.body)
  return found.sort((a, b) => b.lines - a.lines)
}

/** Folders with more than 20 files. */
export function fullFolders(paths) {
  const counts = new Map()
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  return [...counts].filter(([folder, count]) => count > 20 && !/\/(providers|ui)$/.test(folder))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = [...readSources('server/src'), ...readSources('console/src')].filter(
    ({ path }) => !path.includes('.gen.'),
  )
  const long = files.flatMap(functionsOf).filter(({ lines }) => lines > 80)
  const large = files.map(({ path, text }) => [path, text.split('\n').length]).filter(([, lines]) => lines > 300)
  const print = (title, lines) =>
    process.stdout.write(`${title}: ${lines.length}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  print(
    'functions over 80 lines',
    long.sort((a, b) => b.lines - a.lines).map(({ path, line, lines }) => `${lines} ${path}:${line}`),
  )
  print(
    'folders over 20 files',
    fullFolders(files.map(({ path }) => path)).map(([folder, count]) => `${count} ${folder}`),
  )
  print(
    'files over 300 lines',
    large.sort((a, b) => b[1] - a[1]).map(([path, lines]) => `${lines} ${path}`),
  )
}
