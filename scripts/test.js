// `npm test`: installs what is missing, then check, unit, integration with real engines, and browser tests, two at a time.
// Ends with what was tried twice and what failed, by name, and one line that counts them all.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { prepare, root, run } from './prepare.js'
import { secondTry } from './second-tries.js'

await prepare({ ssr: true })
await ensureChromium()
ensureServers()

const folder = mkdtempSync(join(tmpdir(), 'clew-test-'))
const total = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []
/** Tests that failed first and passed then. @type {string[]} */
const triedAgain = []

// Two at a time: each waits for much of its time, for engines, pages and processes that start.
await Promise.all([inTurn([suite('server')]), inTurn([check, suite('console'), suite('scripts'), suite('e2e')])])
rmSync(folder, { recursive: true, force: true })

process.stdout.write(triedAgain.map((line) => `\n${line}`).join(''))
process.stdout.write(failures.map((failure) => `\nFailed: ${failure}`).join(''))
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed === 0 ? 0 : 1)

async function inTurn(steps) {
  for (const step of steps) await step()
}

async function check() {
  const status = await runLabelled('check', process.execPath, [join(root, 'scripts/check.js')], root)
  if (status === 0) total.passed += 1
  else {
    total.failed += 1
    failures.push('check')
  }
}

/** The tests of a workspace. */
function suite(workspace) {
  return async () => {
    const report = join(folder, `${workspace}.json`)
    const args = [
      '--no-install',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(root, 'scripts/second-tries.js')}`,
      `--outputFile.json=${report}`,
    ]
    const status = await runLabelled(workspace, 'npx', args, join(root, workspace))
    const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
    total.passed += counts?.numPassedTests ?? 0
    total.failed += counts?.numFailedTests ?? 0
    total.skipped += counts?.numPendingTests ?? 0
    for (const file of counts?.testResults ?? [])
      failures.push(...failuresOf(file).map((name) => `${workspace}: ${name}`))
    // A file that could not be loaded, or an engine that died, fails the run without failing a test.
    if (status !== 0 && (counts?.numFailedTests ?? 0) === 0) {
      total.failed += 1
      failures.push(`${workspace}: outside its tests (exit code ${status}); search its lines for "Error"`)
    }
  }
}

/** The names of a file's failed tests; the file's own where it failed around them. */
function failuresOf(file) {
  const path = relative(root, file.name)
  const tests = file.assertionResults.filter((test) => test.status === 'failed')
  if (tests.length > 0) return tests.map((test) => `${path}: ${test.fullName}`)
  return file.status === 'failed' ? [`${path}: ${file.message.split('\n')[0]}`] : []
}

/** Runs a program to its end, and prints its lines behind a label. */
async function runLabelled(label, command, args, cwd) {
  process.stdout.write(`── ${label}\n`)
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      process.stdout.write(`${label.padEnd(7)} │ ${line}\n`)
      if (line.startsWith(secondTry)) triedAgain.push(line)
    })
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stdout.write(`${label.padEnd(7)} │ ${error}\n`)
      resolve(1)
    })
    child.on('close', resolve)
  })
}

/** The browser tests use the system's Chromium; from Debian's package where there is apt-get and root. */
async function ensureChromium() {
  if (existsSync('/usr/bin/chromium') || existsSync(process.env.CHROMIUM_PATH ?? '')) return
  const canInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (!canInstall) {
    process.stderr.write(
      'The browser tests need Chromium. Install it (Debian, Ubuntu: sudo apt-get install chromium; macOS: brew install\n' +
        'chromium) or set CHROMIUM_PATH to its executable.\n',
    )
    process.exit(1)
  }
  const install = 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium'
  await run('Chromium', 'sh', ['-c', install], root, 'Installing')
}

/**
 * Tests of other PostgreSQL servers, of a pooler, of proxies and of an authority of certificates use Debian's packages; where they
 * cannot be had, those tests say so.
 */
function ensureServers() {
  const packages = [
    ['/usr/lib/postgresql/15/bin/postgres', 'postgresql-15'],
    ['/usr/sbin/pgbouncer', 'pgbouncer'],
    ['/usr/share/postgresql/15/extension/pgtap.control', 'postgresql-15-pgtap'],
    ['/usr/share/postgresql/15/extension/plpgsql_check.control', 'postgresql-15-plpgsql-check'],
    ['/usr/sbin/nginx', 'nginx'],
    ['/usr/bin/caddy', 'caddy'],
    ['/usr/bin/pebble', 'pebble'],
  ]
  const missing = packages.filter(([path]) => !existsSync(path)).map(([, name]) => name)
  const canInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (missing.length === 0 || !canInstall) return
  process.stderr.write(`Installing ${missing.join(', ')}\n`)
  const install = `apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq ${missing.join(' ')}`
  spawnSync('sh', ['-c', install], { cwd: root, stdio: 'inherit' })
}
