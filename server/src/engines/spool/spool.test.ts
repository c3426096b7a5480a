import { appendFile, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SpoolSink } from './consumer/delivery.ts'
import { drainSpools } from './left-spools.ts'
import type { SpoolLog } from './log.ts'
import { createSpoolReader, type ReadBatch } from './segments/reader.ts'
import { renderRecord } from './segments/record.ts'
import { listSegments, type Position, segmentBytes, segmentPath } from './segments/segments.ts'
import type { SpoolSettings } from './settings.ts'
import { openSpool, type Spool } from './spool.ts'

const settings: SpoolSettings = {
  segmentBytes: 2_000,
  backlogBytes: 1_000_000,
  requestBacklogBytes: 1_000_000,
  batchRows: 50,
  batchBytes: 1_000_000,
  batchMs: 20,
  burstLagMs: 5_000,
  stuckSeconds: 60,
  refusedBytes: 1_000_000,
}
const silent = { warn: () => undefined, error: () => undefined }

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

/** A table in memory: a row is in it once, however often it is stored. */
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
  identity: SpoolSink = async () => undefined,
  log: SpoolLog = silent,
  now = () => new Date(),
): Promise<Spool> {
  const spool = await openSpool({
    folder,
    content: 'events',
    targets: ['events', 'snapshots', 'identity'],
    durability: 'disk',
    sinks: {
      events: (lines) => table.store(lines),
      snapshots: async () => undefined,
      identity,
    },
    settings: { ...settings, ...changed },
    now,
    log,
  })
  opened.push(spool)
  return spool
}

const event = (text: string, rows = 1) => [{ target: 'events', rows, lines: text }] as const
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `{"n":${index}}`)

test('while the disk is short of space nothing is taken, and what was taken before is stored', async () => {
  const table = createTable()
  let isDiskShort = false
  const spool = await openSpool({
    ...{ folder, content: 'events', targets: ['events'], durability: 'disk', settings, log: silent },
    sinks: { events: (lines) => table.store(lines) },
    isDiskShort: () => isDiskShort,
    now: () => new Date(),
  })
  opened.push(spool)
  expect(await spool.append(event('first'))).toBe(true)
  isDiskShort = true
  expect(await spool.append(event('second'))).toBe(false)
  isDiskShort = false
  expect(await spool.append(event('third'))).toBe(true)
  await spool.settled()
  expect(table.rows()).toEqual(['first', 'third'])
})

test('while rows keep coming, the next full batch waits; one who waits for all of it is not kept waiting', async () => {
  const table = createTable()
  let aheadMs = 0
  let appended: Promise<unknown> = Promise.resolve()
  const spool = await openSpool({
    ...{ folder, content: 'events', targets: ['events'], durability: 'disk', log: silent },
    settings: { ...settings, burstLagMs: 60_000 },
    sinks: {
      async events(lines) {
        // A slow engine, behind which as much arrives as it stores.
        aheadMs += 1000
        appended = spool.append(numbers(50).flatMap((line) => event(`${line} of batch ${aheadMs}`)))
        await appended
        await table.store(lines)
      },
    },
    now: () => new Date(Date.now() + aheadMs),
  })
  opened.push(spool)
  const batches = async (count: number): Promise<void> => {
    await expect.poll(() => table.batches).toHaveLength(count)
    await spool.append(event(`after ${count}`))
    expect(table.batches).toHaveLength(count)
  }
  await spool.append(numbers(50).flatMap((line) => event(line)))
  await batches(1)
  aheadMs += 3000
  await spool.append(event('wakes it'))
  await batches(2)
  await Promise.all([spool.settled(), appended])
  expect(table.batches.length).toBeGreaterThan(2)
})

test('records become others before they are stored, in their order, and again where that failed', async () => {
  const table = createTable()
  let failures = 1
  const spool = await openSpool({
    ...{ folder, content: 'events', targets: ['events', 'folded'], durability: 'disk', settings, log: silent },
    sinks: { events: (lines) => table.store(lines), folded: async () => undefined },
    unfold: async (records) => {
      failures -= 1
      if (failures >= 0) throw new Error('no thread is free')
      return records.flatMap((record) =>
        record.target === 0
          ? record
          : record.lines
              .toString()
              .split(' ')
              .map((text) => ({ target: 0, rows: 1, lines: Buffer.from(text), sizeBytes: text.length })),
      )
    },
    now: () => new Date(),
  })
  opened.push(spool)
  await spool.append([...event('first'), { target: 'folded', rows: 2, lines: 'second third' }, ...event('fourth')])
  await spool.settled()
  expect(table.rows()).toEqual(['first', 'second', 'third', 'fourth'])
  expect(failures).toBe(-1)
})

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

async function readBetween(from: Position, end: Position): Promise<ReadBatch> {
  const reader = createSpoolReader({
    folder,
    targets: 3,
    damageFolder: join(folder, 'damaged'),
    damageLimitBytes: 1_000_000,
  })
  try {
    return await reader.read(from, end, { rows: 100, bytes: 1_000_000 })
  } finally {
    await reader.close()
  }
}

/** Opens a folder in which these records wait, one segment or several. */
async function leave(lines: readonly string[], changed: Partial<SpoolSettings> = {}): Promise<number> {
  const table = createTable()
  table.failing = 'refuses'
  const before = await open(table, changed)
  for (const line of lines) await before.append(event(line))
  await before.close()
  const [segment = -1] = await listSegments(folder)
  return segment
}

test.each([1, 7, 12, 14])(
  'of a tail torn %i bytes into its record only the tail is left out, and copied',
  async (tornBytes) => {
    const segment = await leave(['{"n":0}'])
    const torn = renderRecord(0, { rows: 1, lines: '{"n":"torn"}' }).subarray(0, tornBytes)
    await appendFile(segmentPath(folder, segment), torn)

    const table = createTable()
    const after = await open(table)
    await after.append(event('{"n":1}'))
    await expect.poll(() => table.rows()).toEqual(['{"n":0}', '{"n":1}'])
    await after.settled()
    expect(after.backlog()).toMatchObject({ bytes: 0, damagedBytes: tornBytes })
    const [aside = ''] = await readdir(join(folder, 'damaged'))
    expect(await readFile(join(folder, 'damaged', aside))).toEqual(torn)
  },
)

test('a turned byte costs the record that it stands in, wherever it is', async () => {
  const lines = numbers(5)
  const segment = await leave(lines)
  const path = segmentPath(folder, segment)
  const whole = await readFile(path)
  const size = whole.length / lines.length
  for (let at = 2 * size; at < 3 * size; at += 1) {
    const turned = Buffer.from(whole)
    turned.writeUInt8(turned.readUInt8(at) ^ 0x55, at)
    await writeFile(path, turned)
    const batch = await readBetween({ segment, offset: 0 }, { segment, offset: whole.length })
    expect(
      batch.records.map((record) => record.lines.toString()),
      `byte ${at}`,
    ).toEqual(lines.toSpliced(2, 1))
    expect(batch.damage).toEqual([{ at: { segment, offset: 2 * size }, bytes: size }])
    expect(batch.next).toEqual({ segment, offset: whole.length })
  }
})

test('damage of any length and place costs no record that it does not touch', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.json(), { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.uint8Array({ minLength: 1, maxLength: 60 }),
      async (values, place, bytes) => {
        const frames = values.map((value, index) => renderRecord(index % 3, { rows: 1, lines: value }))
        const file = Buffer.concat(frames)
        const from = place % file.length
        const damaged = Buffer.from(file)
        damaged.set(bytes.subarray(0, file.length - from), from)
        await writeFile(segmentPath(folder, 1), damaged)
        const untouched: string[] = []
        let at = 0
        for (const [index, frame] of frames.entries()) {
          if (damaged.subarray(at, at + frame.length).equals(frame)) untouched.push(values[index] ?? '')
          at += frame.length
        }
        const batch = await readBetween({ segment: 1, offset: 0 }, { segment: 1, offset: file.length })
        expect(batch.records.map((record) => record.lines.toString())).toEqual(untouched)
        expect(batch.next).toEqual({ segment: 1, offset: file.length })
      },
    ),
    { numRuns: 200, seed: 7 },
  )
})

test('damage inside an older segment loses that record and nothing else', async () => {
  const first = await leave(numbers(3), { segmentBytes: 1 })
  await truncate(segmentPath(folder, first), (await segmentBytes(folder, first)) - 1)
  const table = createTable()
  const after = await open(table)
  await expect.poll(() => table.rows()).toEqual(numbers(3).slice(1))
  await expect.poll(() => after.backlog().bytes).toBe(0)
})

test.each([
  ['empty', ''],
  ['torn', '{"done":{"segm'],
  ['of another shape', '{"done":{"segment":"1","offset":-3}}'],
  ['beyond the segments', '{"done":{"segment":99,"offset":0}}'],
  ['beyond its segment', '{"done":{"segment":1,"offset":99999}}'],
])('with a cursor that is %s all is stored again, and one line says so', async (_what, cursor) => {
  await leave(numbers(3))
  await writeFile(join(folder, 'cursor.json'), cursor)
  const table = createTable()
  const logged: string[] = []
  await open(table, {}, undefined, { warn: (_details, message) => logged.push(message), error: () => undefined })
  await expect.poll(() => table.rows()).toEqual(numbers(3))
  expect(logged).toEqual([expect.stringContaining('the cursor is unusable')])
})

test('a folder that cannot be used is refused with what to do', async () => {
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file, not a folder')
  await expect(open(createTable())).rejects.toMatchObject({
    code: 'CLEW_SPOOL_UNUSABLE',
    message: expect.stringContaining(folder),
    hint: expect.stringContaining('disk'),
  })
})

test('a folder that stops to take anything is told by health, until it takes again', async () => {
  const table = createTable()
  const spool = await open(table)
  await spool.append(event('{"n":0}'))
  await spool.settled()
  expect(await spool.health()).toMatchObject({ name: 'storing events', state: 'up' })
  const elsewhere = `${folder}-moved`
  await spool.close()
  const again = await open(table)
  await rename(folder, elsewhere)
  await expect(again.append(event('{"n":1}'))).rejects.toThrow('ENOENT')
  expect(await again.health()).toMatchObject({ state: 'down', detail: expect.stringContaining('Make room') })
  await rename(elsewhere, folder)
  expect(await again.health()).toMatchObject({ state: 'up' })
  expect(await again.append(event('{"n":2}'))).toBe(true)
  await expect.poll(() => table.rows()).toEqual(['{"n":0}', '{"n":2}'])
})

test('a spool that makes no progress is degraded at once, and down after a while; what waits stays', async () => {
  const table = createTable()
  table.failing = 'refuses'
  let aheadMs = 0
  const spool = await open(table, {}, undefined, undefined, () => new Date(Date.now() + aheadMs))
  await spool.append(event('{"n":0}'))
  await expect.poll(async () => (await spool.health()).state).toBe('degraded')
  aheadMs = 61_000
  expect(await spool.health()).toMatchObject({ state: 'down', detail: expect.stringContaining('the engine is away') })
  table.failing = false
  await expect.poll(async () => (await spool.health()).state).toBe('up')
  expect(table.rows()).toEqual(['{"n":0}'])
})

test('what was appended before is stored when the spool says that it is settled', async () => {
  const table = createTable()
  const spool = await open(table, { batchMs: 60_000 })
  await spool.append(event('{"n":0}'))
  await spool.settled()
  await spool.append(event('{"n":1}'))
  await spool.settled()
  expect(table.rows()).toEqual(['{"n":0}', '{"n":1}'])
})

test('what a process left that does not come back is stored by another', async () => {
  await leave(['{"n":0}'])
  const table = createTable()
  const left = await drainSpools(() => open(table), [folder])
  await expect.poll(() => table.rows()).toEqual(['{"n":0}'])
  await left.close()
})

test('a sink is told when rows may be stored already', async () => {
  await leave(['{"n":0}'])
  const told: unknown[] = []
  let failures = 1
  const spool = await open(createTable(), {}, async (lines, { again, attempt }) => {
    told.push([...lines.map(String), again, attempt])
    failures -= 1
    if (failures >= 0) throw new Error('the engine is away')
  })
  await spool.append([{ target: 'identity', rows: 1, lines: Buffer.from('{"id":1}') }])
  await spool.settled()
  await spool.append([{ target: 'identity', rows: 1, lines: '{"id":2}' }])
  await spool.settled()
  expect(told.at(-1)).toEqual(['{"id":2}', false, 1])
  expect(told.slice(0, -1)).toContainEqual(['{"id":1}', true, 2])
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
