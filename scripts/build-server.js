// Compiles the server and puts its migrations beside the compiled code. Files are replaced one by one, so that a server
// that runs from this folder goes on.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './prepare.js'

const source = join(root, 'server', 'src')
const output = join(root, 'server', 'dist')
const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))

const project = join(root, 'server', 'tsconfig.build.json')
// `npm run check` checks the types.
const compiled = spawnSync('npx', ['--no-install', 'tsc', '-p', project, '--noCheck'], { stdio: 'inherit' })
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

// The declarations of what the package exports: three files that name nothing else of ours.
const declarations = ['index', 'start', 'settings.gen']
const types = mkdtempSync(join(tmpdir(), 'clew-types-'))
const typesOptions = ['--declaration', '--emitDeclarationOnly', '--removeComments', 'false', '--outDir', types]
const declared = spawnSync('npx', ['--no-install', 'tsc', '-p', project, '--noCheck', ...typesOptions], {
  stdio: 'inherit',
})
if (declared.status !== 0) process.exit(declared.status ?? 1)
for (const name of declarations) {
  const text = readFileSync(join(types, 'package', `${name}.d.ts`), 'utf8')
  writeFileSync(join(output, 'package', `${name}.d.ts`), text.replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"))
}
rmSync(types, { recursive: true })

for (const path of filesBelow(source)) {
  if (!/\.tsx?$|README\.md$/.test(path)) cpSync(join(source, path), join(output, path))
}
// What has no source any more; the console is built into the same folder by another command.
for (const path of filesBelow(output)) {
  const origin = join(source, path.replace(/(\.d\.ts|\.js)$/, '.ts'))
  if (!path.startsWith('/console/') && !path.endsWith('.built') && !existsSync(origin)) rmSync(join(output, path))
}
