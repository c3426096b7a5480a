import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from './log.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-log-'))
})
afterEach(() => rm(folder, { recursive: true }))

const settings = { logLevel: 'warn', logFormat: null, production: true } as const

/** The lines of a log that is written to a file, once there are as many. */
async function lines(path: string, count: number): Promise<readonly string[]> {
  const read = async () => (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  await expect.poll(async () => (await read()).length).toBe(count)
  return read()
}

test('a log file is created with its folder and appended to, in JSON in production', async () => {
  const logFile = join(folder, 'logs', 'clew.log')
  for (const text of ['one', 'two']) {
    const log = createLog({ ...settings, logFile })
    log.warn({ rows: 3 }, text)
    log.info('not severe enough')
    await expect.poll(() => readFile(logFile, 'utf8').catch(() => '')).toContain(text)
  }
  expect((await lines(logFile, 2)).map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: 'one', rows: 3 },
    { level: 40, msg: 'two', rows: 3 },
  ])
})

test('local mode writes text for a person; the format can be said', async () => {
  const logFile = join(folder, 'text.log')
  createLog({ ...settings, production: false, logFile }).warn('a tap drips')
  expect((await lines(logFile, 1))[0]).toMatch(/WARN.*a tap drips/)
  const json = join(folder, 'json.log')
  createLog({ ...settings, production: false, logFormat: 'json', logFile: json }).warn('a tap drips')
  expect(JSON.parse((await lines(json, 1))[0] ?? '')).toMatchObject({ msg: 'a tap drips' })
})
