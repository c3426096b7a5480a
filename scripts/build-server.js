// Builds the server: its bundled modules, and its migrations beside them. What an earlier build made is removed: a package is
// of one build, and a server that runs from this folder is started again.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleServer, filesBelow } from './bundle-server.js'
import { root } from './prepare.js'

const source = join(root, 'server', 'src')
const output = join(root, 'server', 'dist')
const place = { source, base: source, output, addresses: 'module-addresses.js' }
removeOthers(new Set([...(await bundleServer(place)), ...declarations(), ...resources()]))

/** The declarations of what the package exports: three files that name nothing else of ours. */
function declarations() {
  const names = ['index', 'start', 'settings.gen']
  const types = mkdtempSync(join(tmpdir(), 'clew-types-'))
  // `npm run check` checks the types.
  const options = [
    '--noCheck',
    '--declaration',
    '--emitDeclarationOnly',
    '--removeComments',
    'false',
    '--outDir',
    types,
  ]
  const project = join(root, 'server', 'tsconfig.build.json')
  const declared = spawnSync('npx', ['--no-install', 'tsc', '-p', project, ...options], { stdio: 'inherit' })
  if (declared.status !== 0) process.exit(declared.status ?? 1)
  const files = names.map((name) => join('package', `${name}.d.ts`))
  for (const file of files) {
    const text = readFileSync(join(types, file), 'utf8')
    writeFileSync(join(output, file), text.replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"))
  }
  rmSync(types, { recursive: true })
  return files
}

/** Everything beside the code: migrations, extensions, texts. JSON is written without white space. */
function resources() {
  const paths = filesBelow(source).filter((path) => !/\.tsx?$|README\.md$/.test(path))
  for (const path of paths) {
    cpSync(join(source, path), join(output, path))
    if (path.endsWith('.json'))
      writeFileSync(join(output, path), JSON.stringify(JSON.parse(readFileSync(join(source, path), 'utf8'))))
  }
  return paths
}

/** What an earlier build made and this one did not; the console is built into a folder of its own by another command. */
function removeOthers(kept) {
  for (const path of filesBelow(output))
    if (!kept.has(path) && !path.startsWith('console/') && !path.endsWith('.built')) rmSync(join(output, path))
}
