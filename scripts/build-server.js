// Compiles the server and puts its migrations beside the compiled code. Files are replaced one by one, so that a server
// that runs from this folder goes on.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
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

for (const path of filesBelow(source)) {
  if (!/\.tsx?$|README\.md$/.test(path)) cpSync(join(source, path), join(output, path))
}
// What has no source any more; the console is built into the same folder by another command.
for (const path of filesBelow(output)) {
  const origin = join(source, path.replace(/\.js$/, '.ts'))
  if (!path.startsWith('/console/') && !path.endsWith('.built') && !existsSync(origin)) rmSync(join(output, path))
}
