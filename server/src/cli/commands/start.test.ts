import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compiled } from '../../../test/compiled.ts'
import { freePort } from '../../../test/free-port.ts'
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
async function startCommand(options: readonly string[] = []): Promise<{ child: ChildProcess; printed: string }> {
  const ports = ['--port', '0', '--db-port', String(await freePort())]
  const place = ['--data', folder, ...ports]
  const child = spawn(process.execPath, [main, 'start', ...place, ...options], {
    cwd: new URL('../../..', import.meta.url),
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

test('a terminal that closes stops it cleanly, though its output has no reader', async () => {
  const { child } = await startCommand()
  child.stdout?.destroy()
  child.stderr?.destroy()
  child.kill('SIGHUP')
  child.kill('SIGHUP')
  expect(await once(child, 'exit')).toEqual([0, null])
  const directory = directoryOf(folder)
  expect(existsSync(join(folder, 'clew.lock'))).toBe(false)
  expect(existsSync(join(directory.postgres, 'postmaster.pid'))).toBe(false)
  expect(existsSync(directory.sockets)).toBe(false)
})

test('in production no secret key is printed', async () => {
  const { child, printed } = await startCommand(['--production', '--console-url', 'https://console.cafe.test/'])
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
