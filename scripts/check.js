// `npm run check`: format, lint, types, floors, cited sections, and that generated files are what the sources make.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.js'

await prepare({ ssr: true })
const tool = (name, ...args) => [join(root, 'node_modules', '.bin', name), args]
const script = (name, ...args) => [process.execPath, [join(root, 'scripts', name), ...args]]
// The longest first, so that the last ones fill what is left of the time.
const steps = [
  ['generated files', script('generate.js', '--check')],
  ['types of the server', tool('tsc', '-p', 'server')],
  ['format and lint', tool('biome', 'ci', '--error-on-warnings', '--colors=off')],
  ['unused exports and files', tool('knip', '--no-progress', '--no-config-hints')],
  ['floors', script('checks/floors.js')],
  ['types of the console', tool('tsc', '-p', 'console', '--noEmit')],
  ['types of the end-to-end tests', tool('tsc', '-p', 'e2e', '--noEmit')],
  ['types of the example', tool('tsc', '-p', 'examples/cafe', '--noEmit')],
  ['types of the example rendered on the server', tool('tsc', '-p', 'examples/ssr', '--noEmit')],
  ['avoided words', script('checks/words.js')],
  ['citations', script('checks/citations.js')],
  ['circles of folders', script('checks/circles.js')],
  ['reach of use cases', script('checks/reach.js')],
  ['documented doors', script('checks/doors.js')],
  ['sizes', script('checks/sizes.js')],
  ['scripts of the screens', script('checks/screen-sizes.js')],
]
const workers = 2
let failed = false
const waiting = steps.values()
await Promise.all(Array.from({ length: workers }, work))
process.exit(failed ? 1 : 0)

/** Runs steps until none is left; each tells its name and what it said when it has ended. */
async function work() {
  for (const [name, [command, args]] of waiting) {
    const { code, output } = await run(command, args)
    process.stderr.write(`check: ${name}${code === 0 ? '' : ' FAILED'}\n${output}`)
    failed ||= code !== 0
  }
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: 1, output: `${error}\n` }))
    child.on('close', (code) => resolve({ code, output }))
  })
}
