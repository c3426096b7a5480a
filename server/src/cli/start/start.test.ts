import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { compiled } from '../../../test/compiled.ts'
import { ask } from '../../../test/foreign-server.ts'
import { freePort } from '../../../test/free-port.ts'
import { askStatus } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import { loadKeys } from '../../instance/keys.ts'

const main = fileURLToPath(compiled('src/cli/main'))

let folder: string
let running: ChildProcess | null = null
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-start-'))
})
afterEach(async () => {
  if (running !== null && running.exitCode === null) {
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** Starts as a person does, and returns when it says that it is ready. */
async function startCommand(
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; printed: string }> {
  const ports = ['--port', '0', '--db-port', String(await freePort())]
  const place = ['--data', folder, ...ports]
  const child = spawn(process.execPath, [main, 'start', ...place, ...options], {
    cwd: new URL('../../..', import.meta.url),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  let printed = ''
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk)
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += String(chunk)
      if (printed.includes('Ready in')) resolve()
    })
    child.once('exit', () => reject(new Error(complaints)))
  })
  return { child, printed }
}

/** What a clean stop leaves behind. */
function expectStopped(): void {
  const directory = directoryOf(folder)
  expect(existsSync(join(folder, 'clew.lock'))).toBe(false)
  expect(existsSync(join(directory.postgres, 'postmaster.pid'))).toBe(false)
  expect(existsSync(directory.sockets)).toBe(false)
}

test('SIGTERM stops it cleanly, though its output has no reader', async () => {
  const { child } = await startCommand()
  child.stdout?.destroy()
  child.stderr?.destroy()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expectStopped()
})

test('without a terminal SIGHUP reads secrets again, and stops nothing', async () => {
  const file = join(folder, 'token')
  await writeFile(file, 'one')
  const environment = { CLEW_METRICS_TOKEN_FILE: file, CLEW_SECRET_CHECK_SECONDS: '3600' }
  const { child } = await startCommand(['--data', join(folder, 'data')], environment)
  const { apiUrl } = await askStatus(directoryOf(join(folder, 'data')).control)
  const isAccepted = async (token: string) =>
    (await fetch(`${apiUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } })).ok
  expect(await isAccepted('one')).toBe(true)
  await writeFile(file, 'two')
  child.kill('SIGHUP')
  await vi.waitFor(async () => expect(await isAccepted('two')).toBe(true), 30_000)
  expect(await isAccepted('one')).toBe(false)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

/** Runs a command on a terminal, and types a line when it asks. */
async function typeInto(args: readonly string[], question: string, line: string) {
  const command = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  let isTyped = false
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
    if (isTyped || !output.includes(question)) return
    isTyped = true
    child.stdin.write(`${line}\n`)
  })
  const [code] = await once(child, 'exit')
  return { code, output, isTyped }
}

const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script')
if (!hasTerminal) console.warn('Without util-linux’s script, the question of a reset in production is not tested.')

test.runIf(hasTerminal)('a terminal that closes stops it cleanly', async () => {
  const place = ['--data', folder, '--port', '0', '--db-port', String(await freePort())]
  const command = ['exec', process.execPath, main, 'start', ...place].join(' ')
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
  running = terminal
  await new Promise<void>((resolve) => {
    terminal.stdout.on('data', (chunk) => {
      if (String(chunk).includes('Ready in')) resolve()
    })
  })
  running = null
  terminal.kill('SIGKILL')
  await vi.waitFor(expectStopped, 60_000)
})

/** In production a reset asks for the name of the project, on a terminal alone. */
async function resetByName(project: string): Promise<void> {
  const { dbUrl } = await askStatus(directoryOf(folder).control)
  const rows = (text: string) => ask(dbUrl ?? '', text)
  const args = ['db', 'reset', '--data', folder, '--project', project]
  const question = `This is the production database of ${basename(project)}.`
  await rows('create table public.kept ()')
  expect(await typeInto(args, 'in production', '')).toMatchObject({ code: 2, isTyped: true })
  const wrong = await typeInto([...args, '--yes'], question, 'another')
  expect(wrong).toMatchObject({ code: 2, isTyped: true, output: expect.stringContaining('The name was not typed') })
  expect(await rows(`select to_regclass('public.kept') is null as gone`)).toEqual([{ gone: false }])
  expect(await typeInto([...args, '--yes'], question, basename(project))).toMatchObject({ code: 0, isTyped: true })
  expect(await rows(`select to_regclass('public.kept') is null as gone`)).toEqual([{ gone: true }])
}

test('in production no secret key is printed, and a reset asks for the project’s name', async () => {
  const project = await mkdtemp(join(tmpdir(), 'clew-project-'))
  onTestFinished(() => rm(project, { recursive: true }))
  await mkdir(join(project, 'supabase'))
  const { child, printed } = await startCommand([
    '--production',
    ...['--console-url', 'https://console.cafe.test/', '--project', project],
  ])
  if (hasTerminal) await resetByName(project)
  child.kill('SIGTERM')
  await once(child, 'exit')
  const { api, databasePassword } = await loadKeys(folder, true, () => new Date())
  expect(printed).toContain(api.publishableKey)
  expect(printed).toContain('https://console.cafe.test/console')
  expect(printed).toContain('clew owner-link')
  expect(printed).not.toContain('token=')
  for (const secret of [api.secretKey, api.serviceRoleKey, api.jwtSecret, databasePassword])
    expect(printed).not.toContain(secret)
})
