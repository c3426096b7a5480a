// `npm run check`: format, lint, types, floors, cited sections, and that generated files are what the sources make.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.js'

await prepare({ ssr: true })
const steps = [
  ['format and lint', ['biome', 'ci', '--error-on-warnings', '--colors=off']],
  ['unused exports and files', ['knip', '--no-progress', '--no-config-hints']],
  ['types of the server', ['tsc', '-p', 'server']],
  ['types of the console', ['tsc', '-p', 'console', '--noEmit']],
  ['types of the end-to-end tests', ['tsc', '-p', 'e2e', '--noEmit']],
  ['types of the example', ['tsc', '-p', 'examples/cafe', '--noEmit']],
  ['types of the example rendered on the server', ['tsc', '-p', 'examples/ssr', '--noEmit']],
]
let failed = false
for (const [name, args] of steps) {
  process.stderr.write(`check: ${name}\n`)
  failed = spawnSync('npx', ['--no-install', ...args], { cwd: root, stdio: 'inherit' }).status !== 0 || failed
}
const scripts = [
  ['floors', ['floors.js']],
  ['citations', ['citations.js']],
  ['circles of folders', ['circles.js']],
  ['reach of use cases', ['reach.js']],
  ['documented doors', ['doors.js']],
  ['avoided words', ['words.js']],
  ['generated files', ['generate.js', '--check']],
]
for (const [name, [script, ...args]] of scripts) {
  process.stderr.write(`check: ${name}\n`)
  const run = spawnSync(process.execPath, [join(root, 'scripts', script), ...args], { cwd: root, stdio: 'inherit' })
  failed = run.status !== 0 || failed
}
process.exit(failed ? 1 : 0)
