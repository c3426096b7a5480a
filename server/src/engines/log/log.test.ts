import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startReceiver } from '../../../test/receiver.ts'
import { type LogOptions, openLog } from './log.ts'
import { logSettings } from './settings.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-log-'))
})
afterEach(() => rm(folder, { recursive: true }))

const defaults = Object.fromEntries(Object.entries(logSettings).map(([name, { default: value }]) => [name, value]))
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

function logTo(options: Partial<LogOptions>) {
  const base = { ...defaults, logLevel: 'warn', logFormat: null, logFile: null, production: true }
  // The defaults are those of the declared settings.
  const opening = openLog({ ...base, ...options } as LogOptions)
  opened.push(opening.close)
  return opening
}

/** The lines of a log that is written to a file, once there are as many. */
async function lines(path: string, count: number): Promise<readonly string[]> {
  const read = async () => (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  await expect.poll(async () => (await read()).length).toBe(count)
  return read()
}

test('a log file is created with its folder and appended to, in JSON in production', async () => {
  const logFile = join(folder, 'logs', 'clew.log')
  for (const text of ['one', 'two']) {
    const { log } = logTo({ logFile })
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
  logTo({ production: false, logFile }).log.warn('a tap drips')
  expect((await lines(logFile, 1))[0]).toMatch(/WARN.*a tap drips/)
  const json = join(folder, 'json.log')
  logTo({ production: false, logFormat: 'json', logFile: json }).log.warn('a tap drips')
  expect(JSON.parse((await lines(json, 1))[0] ?? '')).toMatchObject({ msg: 'a tap drips' })
})

test('a file that has its size is renamed and a new one begun; the oldest goes, and no line between is lost', async () => {
  const logFile = join(folder, 'clew.log')
  const { log, close } = logTo({ logFile, rotateMib: 1, rotatedFiles: 2 })
  const filler = 'x'.repeat(40_000)
  let written = 0
  const files = async () => (await readdir(folder)).toSorted()
  // As many as fill a file; then the rename is waited for.
  for (const names of [
    ['clew.log', 'clew.log.1'],
    ['clew.log', 'clew.log.1', 'clew.log.2'],
  ]) {
    for (let count = 0; count < 28; count++) log.warn({ number: written++, filler }, 'full')
    await expect.poll(files).toEqual(names)
  }
  await close()
  const numbers: number[] = []
  for (const name of ['clew.log.2', 'clew.log.1', 'clew.log'])
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n'))
      if (line !== '') numbers.push(JSON.parse(line).number)
  expect(numbers).toEqual(Array.from({ length: written }, (_, number) => number))
})

test('a renamed file goes some days after its last line; the one that is written stays', async () => {
  const logFile = join(folder, 'clew.log')
  const dayMs = 24 * 3_600_000
  for (const [name, days] of [
    ['clew.log', 9],
    ['clew.log.1', 6],
    ['clew.log.2', 8],
    ['clew.log.of-another', 9],
  ] as const) {
    await writeFile(join(folder, name), 'a line\n')
    const at = new Date(Date.now() - days * dayMs)
    await utimes(join(folder, name), at, at)
  }
  const files = async () => (await readdir(folder)).toSorted()
  const before = await files()
  const { close } = logTo({ logFile })
  await close()
  expect(await files()).toEqual(before)
  logTo({ logFile, rotatedDays: 7 })
  await expect.poll(files).toEqual(['clew.log', 'clew.log.1', 'clew.log.of-another'])
})

test('lines are sent to the address as JSON while they are written as text, and the log says when that fails', async () => {
  let status = 503
  const server = await startReceiver((response) => response.writeHead(status).end())
  opened.push(async () => server.close())
  const logFile = join(folder, 'text.log')
  const { log } = logTo({ logFile, production: false, httpUrl: `${server.url}/lines` })
  log.warn({ rows: 3 }, 'a tap drips')
  await expect.poll(() => readFile(logFile, 'utf8').catch(() => ''), { timeout: 20_000 }).toMatch(/cannot be sent/)
  status = 200
  await expect.poll(() => readFile(logFile, 'utf8'), { timeout: 20_000 }).toMatch(/lines are sent again/)
  const [{ headers, body } = { headers: {}, body: '' }] = server.received
  expect(headers['content-type']).toBe('application/x-ndjson')
  expect(JSON.parse(body.split('\n')[0] ?? '')).toMatchObject({ msg: 'a tap drips', rows: 3, level: 40 })
})
