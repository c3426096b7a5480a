// Compiles the server and puts its migrations beside the compiled code.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.js'

const source = join(root, 'server', 'src')
const output = join(root, 'server', 'dist')

// The console is built into the same folder, by another command.
mkdirSync(output, { recursive: true })
for (const name of readdirSync(output)) if (name !== 'console') rmSync(join(output, name), { recursive: true })

const compiled = spawnSync('npx', ['--no-install', 'tsc', '-p', join(root, 'server', 'tsconfig.build.json')], {
  stdio: 'inherit',
})
if (compiled.status !== 0) process.exit(compiled.status ?? 1)
for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || /\.tsx?$/.test(entry.name) || entry.name === 'README.md') continue
  const path = join(entry.parentPath, entry.name)
  cpSync(path, join(output, path.slice(source.length)))
}
