// Makes a clone runnable: installs what is missing and builds what has changed, saying what it does.
// Plain JavaScript that needs nothing installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const example = join(root, 'examples', 'cafe')
const ssr = join(root, 'examples', 'ssr')

/** What is built: from which sources, by which command, into which folder. */
const products = {
  server: {
    folder: join(root, 'server'),
    sources: [
      'src',
      'package.json',
      'tsconfig.build.json',
      '../scripts/build-server.js',
      '../scripts/bundle-server.js',
    ],
    output: join(root, 'server', 'dist', 'cli'),
    build: () => run('the server', process.execPath, [join(root, 'scripts', 'build-server.js')], root),
  },
  console: {
    folder: join(root, 'console'),
    sources: ['src', 'index.html', 'vite.config.ts', 'package.json', '../scripts/build-console.js'],
    output: join(root, 'server', 'dist', 'console'),
    build: () => run('the console', process.execPath, [join(root, 'scripts', 'build-console.js')], root),
  },
  example: {
    folder: example,
    sources: ['src', 'index.html', '.env', 'vite.config.ts', 'package.json'],
    output: join(example, 'dist'),
    build: () =>
      run('the example application', 'npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn'], example),
  },
  ssr: {
    folder: ssr,
    sources: ['src', 'react-router.config.ts', 'vite.config.ts', 'package.json'],
    output: join(ssr, 'dist'),
    build: () => run('the example rendered on the server', 'npm', ['run', '--silent', 'bundle'], ssr),
  },
}

/**
 * @param {{ example?: boolean, ssr?: boolean, force?: boolean }} what the example application is made unless told not to,
 *   the one rendered on the server where it is asked for
 * @returns {Promise<void>} when everything asked for is installed and built
 */
export async function prepare({ example: withExample = true, ssr: withSsr = false, force = false } = {}) {
  const wanted = ['server', 'console', ...(withExample ? ['example'] : []), ...(withSsr ? ['ssr'] : [])]
  const needed = () => force || isStale(wanted)
  if (!needed()) return
  await locked(async () => {
    // Another process may just have done it.
    if (needed()) await installAndBuild({ wanted, force })
  })
}

const lockPath = join(root, '.clew-preparing')

/** One process installs and builds at a time; the others wait for it. A lock whose process is gone is taken over. */
async function locked(work) {
  let told = false
  for (;;) {
    try {
      writeFileSync(lockPath, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isAlive(readLock())) rmSync(lockPath, { force: true })
    else {
      if (!told) process.stderr.write('  Another process is installing or building; waiting for it …\n')
      told = true
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  try {
    await work()
  } finally {
    rmSync(lockPath, { force: true })
  }
}

function readLock() {
  try {
    return Number(readFileSync(lockPath, 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid) {
  try {
    // An empty lock is one that is being written.
    return pid === 0 || process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Whether anything must be installed or built. */
function isStale(wanted) {
  const isBuilt = ({ output, folder, sources }) => readStamp(join(output, '.built')) === fingerprint(folder, sources)
  return !foldersOf(wanted).every(isInstalled) || !wanted.every((name) => isBuilt(products[name]))
}

/** Where dependencies are installed: the workspace, and each example for itself. */
const foldersOf = (wanted) => [
  root,
  ...(wanted.includes('example') ? [example] : []),
  ...(wanted.includes('ssr') ? [ssr] : []),
]

const readStamp = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

async function installAndBuild({ wanted, force }) {
  for (const folder of foldersOf(wanted)) await install(folder)
  for (const product of wanted.map((name) => products[name])) {
    const stamp = join(product.output, '.built')
    const sources = fingerprint(product.folder, product.sources)
    if (!force && readStamp(stamp) === sources) continue
    rmSync(stamp, { force: true })
    await product.build()
    mkdirSync(product.output, { recursive: true })
    writeFileSync(stamp, sources)
  }
}

const installStamp = (folder) => join(folder, 'node_modules', '.clew-installed')
const lockHash = (folder) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')

/** Whether a folder's dependencies were installed from its lock file as it is. */
const isInstalled = (folder) => readStamp(installStamp(folder)) === lockHash(folder)

/** Installs a folder's dependencies where they are not. */
async function install(folder) {
  if (isInstalled(folder)) return
  const name =
    folder === root ? 'Clew' : folder === ssr ? 'the example rendered on the server' : 'the example application'
  await run(
    `what ${name} needs (once; a minute or two)`,
    'npm',
    ['install', '--no-save', '--loglevel=error'],
    folder,
    'Installing',
  )
  writeFileSync(installStamp(folder), lockHash(folder))
}

/** Names, sizes and times of the sources: enough to know that nothing changed, in a few milliseconds. */
function fingerprint(folder, sources) {
  const hash = createHash('sha256')
  const visit = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name))
    else hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`)
  }
  for (const source of sources) visit(join(folder, source))
  return hash.digest('hex')
}

/** Runs a command with a line of progress; its output is shown only when it fails. */
export function run(what, command, args, cwd, verb = 'Building') {
  const startedAt = Date.now()
  const isTerminal = process.stderr.isTTY === true
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1)
  process.stderr.write(`  ${verb} ${what} …${isTerminal ? '' : '\n'}`)
  const ticking = isTerminal
    ? setInterval(() => process.stderr.write(`\r  ${verb} ${what} … ${seconds()} s`), 100)
    : setInterval(() => process.stderr.write(`  … still ${verb.toLowerCase()} ${what}, ${seconds()} s\n`), 10_000)
  return new Promise((resolve, reject) => {
    // Whoever starts this may be a test or a developer: what is built is for use all the same. npm, told so, would leave
    // out what building needs.
    const env = verb === 'Building' ? { ...process.env, NODE_ENV: 'production' } : process.env
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(ticking)
      process.stderr.write(
        isTerminal ? `\r  ${verb} ${what} … ${seconds()} s\n` : `  ${verb} ${what}: ${seconds()} s\n`,
      )
      if (code === 0) return resolve()
      process.stderr.write(output)
      reject(new Error(`${verb} ${what} failed: ${command} ${args.join(' ')} ended with ${code}.`))
    })
  })
}
