import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compiled } from '../../../test/compiled.ts'
import { createClickHouse } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-ch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const options = (name: string) =>
  ({
    kind: 'embedded',
    dataDir: join(folder, name),
    socketPath: join(folder, `${name}.s`),
    memoryBytes: 300 * 1024 * 1024,
    log: () => undefined,
  }) as const

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a parent that is killed leaves no orphan, and the data directory is free again', async () => {
  const { log: _, ...given } = options('orphan')
  const script = `
    import { createClickHouse } from ${JSON.stringify(compiled('src/engines/clickhouse/index').href)}
    const clickhouse = createClickHouse({ ...${JSON.stringify(given)}, log: () => undefined })
    await clickhouse.ready()
    const heavy = clickhouse.query({ text: 'select sum(sipHash64(number)) from numbers(20000000000)', parameters: {} })
    heavy.catch(() => undefined)
    console.log((await clickhouse.health()).pid)
  `
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (line) => resolve(Number(line))))
  expect(lives(pid)).toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => lives(pid)).toBe(false)
  const next = createClickHouse(options('orphan'))
  await next.ready()
  await next.close()
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s to the whole group leaves the engine to its parent',
  async (signal) => {
    const clickhouse = createClickHouse(options(signal))
    await clickhouse.ready()
    const { pid } = await clickhouse.health()
    process.kill(pid ?? 0, signal)
    expect(await clickhouse.query({ text: 'select 1 as one', parameters: {} })).toEqual([{ one: 1 }])
    expect(await clickhouse.health()).toMatchObject({ state: 'up', pid })
    await clickhouse.close()
    expect(lives(pid ?? 0)).toBe(false)
  },
)

test('closing ends the process and takes its socket away; later statements are refused', async () => {
  const clickhouse = createClickHouse(options('closed'))
  await clickhouse.ready()
  const { pid } = await clickhouse.health()
  await clickhouse.close()
  expect(lives(pid ?? 0)).toBe(false)
  expect(existsSync(options('closed').socketPath)).toBe(false)
  await expect(clickhouse.query({ text: 'select 1', parameters: {} })).rejects.toThrow('closed')
  expect(await clickhouse.health()).toMatchObject({ state: 'down', pid: null })
})

test('a data directory that another engine holds is reported, and used once it is free', async () => {
  const first = createClickHouse(options('held'))
  await first.ready()
  const second = createClickHouse({ ...options('held'), socketPath: join(folder, 'second.s') })
  await expect
    .poll(async () => (await second.health()).detail)
    .toContain('Another server instance in same directory is already running')
  await first.close()
  await second.ready()
  expect(await second.health()).toMatchObject({ state: 'up' })
  await second.close()
})

test('a socket whose path is too long is refused at once', () => {
  expect(() => createClickHouse({ ...options('long'), socketPath: `/tmp/${'x'.repeat(110)}` })).toThrow('107')
})
