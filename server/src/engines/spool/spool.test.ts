import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderRecord } from './record.ts'
import { listSegments, segmentBytes, segmentPath } from './segments.ts'
import type { SpoolSettings } from './settings.ts'
import { openSpool, type Spool } from './spool.ts'

const settings: SpoolSettings = {
  segmentBytes: 2_000,
  backlogBytes: 1_000_000,
  batchRows: 50,
  batchBytes: 1_000_000,
  batchMs: 20,
}
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

let folder: string
let opened: Spool[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-spool-'))
  opened = []
})

afterEach(async () => {
  await Promise.all(opened.map((spool) => spool.close()))
  await rm(folder, { recursive: true, force: true })
})

/** A place where rows are stored: a row is there once, however often it comes. */
function createTable() {
  const batches: string[][] = []
  return {
    /** Whether it refuses, or stores and its answer is lost. */
    failing: false as false | 'refuses' | 'falls silent',
    /** Rows of each attempt to store some. */
    attempts: [] as string[][],
    rows: () => [...new Set(batches.flat())],
    batches,
    async store(lines: readonly Buffer[]): Promise<void> {
      const rows = lines.flatMap((block) => block.toString().split('\n'))
      this.attempts.push(rows)
      if (this.failing !== 'refuses') batches.push(rows)
      if (this.failing !== false) throw new Error('the engine is away')
    },
  }
}

async function open(
  table: ReturnType<typeof createTable>,
  changed: Partial<SpoolSettings> = {},
  identity: (lines: readonly Buffer[]) => Promise<void> = async () => undefined,
): Promise<Spool> {
  const spool = await openSpool({
    folder,
    targets: ['events', 'snapshots', 'identity'],
    durability: 'disk',
    sinks: {
      events: (lines) => table.store(lines),
      snapshots: async () => undefined,
      identity,
    },
    settings: { ...settings, ...changed },
    now: () => new Date(),
    log: silent,
  })
  opened.push(spool)
  return spool
}

const event = (text: string, rows = 1) => [{ target: 'events', rows, lines: text }] as const
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `{"n":${index}}`)

test('what was appended is stored once, in order, over many segments', async () => {
  const table = createTable()
  const spool = await open(table)
  await Promise.all(numbers(500).map((line) => spool.append(event(line))))
  await expect.poll(() => table.rows()).toEqual(numbers(500))
  await expect.poll(() => spool.backlog()).toMatchObject({ bytes: 0, lagMs: 0, trouble: null })
  expect(await listSegments(folder)).toHaveLength(1)
})

test('an appended record is on the disk when its promise resolves', async () => {
  const table = createTable()
  table.failing = 'refuses'
  const spool = await open(table)
  await spool.append(event('{"n":1}'))
  const [segment = -1] = await listSegments(folder)
  expect(await readFile(segmentPath(folder, segment), 'latin1')).toContain('{"n":1}')
})

test('a lone event is stored well within a second, and a burst in few batches', async () => {
  const table = createTable()
  const spool = await open(table, { batchMs: 500, batchRows: 1000 })
  const began = Date.now()
  await spool.append(event('{"n":"lone"}'))
  await expect.poll(() => table.rows()).toHaveLength(1)
  expect(Date.now() - began).toBeLessThan(500)
  await Promise.all(numbers(400).map((line) => spool.append(event(line))))
  await expect.poll(() => table.rows()).toHaveLength(401)
  expect(table.batches.length).toBeLessThanOrEqual(4)
})

test('while the engine is away events are taken up to the limit, and stored when it is back', async () => {
  const table = createTable()
  table.failing = 'refuses'
  const spool = await open(table, { backlogBytes: 1_000 })
  const taken: string[] = []
  for (const line of numbers(100)) if (await spool.append(event(line))) taken.push(line)
  expect(taken.length).toBeGreaterThan(10)
  expect(taken.length).toBeLessThan(100)
  await expect.poll(() => spool.backlog().trouble).toContain('the engine is away')
  expect(spool.backlog().lagMs).toBeGreaterThan(0)
  table.failing = false
  await expect.poll(() => table.rows()).toEqual(taken)
  // There is room when the cursor is on the disk, a moment after the rows are in the table.
  await expect.poll(() => spool.backlog().bytes).toBe(0)
  expect(await spool.append(event('{"n":"again"}'))).toBe(true)
})

test('rows of a batch that a crash interrupted go again, and those after them', async () => {
  const table = createTable()
  table.failing = 'falls silent'
  const before = await open(table)
  await before.append(event('{"n":0}\n{"n":1}', 2))
  await expect.poll(() => table.attempts.length).toBeGreaterThan(0)
  await before.close()
  const attempts = table.attempts.length

  table.failing = false
  const after = await open(table)
  await after.append(event('{"n":2}'))
  await expect.poll(() => table.rows()).toEqual(['{"n":0}', '{"n":1}', '{"n":2}'])
  expect(table.attempts.slice(attempts).flat()).toEqual(['{"n":0}', '{"n":1}', '{"n":2}'])
})

test.each([1, 7, 12])('a tail torn %i bytes into its record is cut, all before it is kept', async (kept) => {
  const table = createTable()
  table.failing = 'refuses'
  const before = await open(table)
  await before.append(event('{"n":0}'))
  await before.close()
  const [segment = -1] = await listSegments(folder)
  const whole = await segmentBytes(folder, segment)
  await appendFile(segmentPath(folder, segment), renderRecord(0, { rows: 1, lines: '{"n":"torn"}' }).subarray(0, kept))

  table.failing = false
  const after = await open(table)
  expect(await segmentBytes(folder, segment)).toBe(whole)
  await after.append(event('{"n":1}'))
  await expect.poll(() => table.rows()).toEqual(['{"n":0}', '{"n":1}'])
})

test('damage inside an older segment loses that segment’s rest and nothing else', async () => {
  const table = createTable()
  table.failing = 'refuses'
  const before = await open(table, { segmentBytes: 1 })
  for (const line of numbers(3)) await before.append(event(line))
  await before.close()
  const [first = -1] = await listSegments(folder)
  await truncate(segmentPath(folder, first), (await segmentBytes(folder, first)) - 1)
  table.failing = false
  await writeFile(join(folder, 'cursor.json'), JSON.stringify({ done: { segment: first, offset: 0 } }))
  const after = await open(table)
  await expect.poll(() => table.rows()).toEqual(numbers(3).slice(1))
  await expect.poll(() => after.backlog().bytes).toBe(0)
})

test('one target’s trouble does not make another’s rows go twice', async () => {
  const table = createTable()
  let failures = 2
  const applied: string[] = []
  const spool = await open(table, {}, async (lines) => {
    failures -= 1
    if (failures >= 0) throw new Error('the database is away')
    applied.push(...lines.map(String))
  })
  await spool.append([...event('{"n":0}'), { target: 'identity', rows: 1, lines: '{"id":1}' }])
  await expect.poll(() => applied).toEqual(['{"id":1}'])
  expect(table.attempts).toHaveLength(1)
})

test('a folder that is used again never repeats a segment’s number', async () => {
  const table = createTable()
  const segments = new Set<number>()
  for (let start = 0; start < 3; start += 1) {
    const spool = await open(table)
    await spool.append(event(`{"start":${start}}`))
    for (const segment of (await listSegments(folder)).slice(-1)) segments.add(segment)
    await expect.poll(() => spool.backlog().bytes).toBe(0)
    await spool.close()
  }
  expect(table.rows()).toEqual(['{"start":0}', '{"start":1}', '{"start":2}'])
  expect(segments.size).toBe(3)
  expect((await readdir(folder)).filter((name) => name.endsWith('.segment'))).toHaveLength(1)
})
