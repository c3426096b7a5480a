import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mayMount, mount, unmount } from './support/disk.ts'
import { freePort, type RunResult, run } from './support/product.ts'
import { isTrial } from './support/trials.ts'

const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-refused-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Starts what cannot start: it ends by itself, with what it says. */
async function start(args: readonly string[]): Promise<RunResult> {
  const options = ['--port', '--db-port', '--console-port']
  const ports = await Promise.all(options.map(async (option) => [option, String(await freePort())]))
  const result = await run(['start', '--data', folder, ...ports.flat(), '--sample', '', ...args])
  expect(result.stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
  expect(result.stderr).not.toContain('EPIPE')
  expect(result.stderr).not.toContain('Unexpected')
  return result
}

async function hold(port: number): Promise<Server> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

test.each(isTrial ? ['--port', '--db-port', '--console-port'] : ['--port'])(
  '%s that is taken is named, and the code says so',
  async (option) => {
    const port = await freePort()
    const holder = await hold(port)
    const { code, stderr } = await start([option, String(port)])
    holder.close()
    expect(stderr).toMatch(new RegExp(`Port ${port}\\b.* (in use|taken)\\.`))
    expect(code).toBe(4)
  },
)

test('what refuses a worker refuses the start, with its words and its code', async () => {
  const port = await freePort()
  const holder = await hold(port)
  const { code, stderr } = await start(['--workers', '2', '--port', String(port)])
  holder.close()
  expect(stderr).toMatch(new RegExp(`^CLEW_START_PORT +Port ${port} on 127.0.0.1 is already taken`, 'm'))
  expect(stderr.match(/CLEW_START_PORT/g)).toHaveLength(1)
  expect(code).toBe(4)
})

test('a file of keys that was cut off is named', async () => {
  await writeFile(join(folder, 'keys.json'), '{"signingKey": {')
  const { code, stderr } = await start([])
  expect(stderr).toContain(`${folder}/keys.json is no JSON`)
  expect(code).toBe(7)
})

test.runIf(isTrial)('a database that is not there is named, and ClickHouse ends quietly', async () => {
  const port = await freePort()
  const { code, stderr } = await start(['--database-url', `postgresql://postgres@127.0.0.1:${port}/postgres`])
  expect(stderr).toContain('POSTGRES_UNREACHABLE')
  expect(stderr).toContain(String(port))
  expect(code).toBe(9)
})

test('PostgreSQL that does not start shows the end of its log', async () => {
  const args = ['--data', folder]
  await mkdir(join(folder, 'postgres'), { mode: 0o700 })
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '18\n')
  const { code, stderr } = await start(args)
  expect(stderr).toContain('POSTGRES_START_FAILED')
  expect(stderr).toContain('postgresql.conf')
  expect(code).toBe(9)
})

test.skipIf(isRoot)('a directory that may not be written is named', async () => {
  await chmod(folder, 0o555)
  const { code, stderr } = await start([])
  expect(stderr).toContain('CLEW_START_DIRECTORY')
  expect(code).toBe(8)
})

test.runIf(isTrial && mayMount)('a read-only disk is named (needs to mount one)', async () => {
  mount(folder, 'ro,size=1m')
  try {
    const { code, stderr } = await start([])
    expect(stderr).toMatch(new RegExp(`CLEW_START_DIRECTORY {2}${folder}\\S* cannot be used \\(EROFS\\)`))
    expect(code).toBe(8)
  } finally {
    unmount(folder)
  }
})

test.runIf(isTrial && mayMount).each(['200k', '24m'])(
  'a full disk (%s) is named (needs to mount one)',
  async (size) => {
    mount(folder, `size=${size}`)
    try {
      const { code, stderr } = await start([])
      expect(stderr).toMatch(/CLEW_START_DISK_FULL {2}The disk that .* is on is full\./)
      expect(code).toBe(8)
    } finally {
      unmount(folder)
    }
  },
)
