import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createTable, event, numbers, settings, silent, useSpools } from '../../../test/spool-world.ts'
import { drainSpools } from './left-spools.ts'
import { listSegments, segmentPath } from './segments/segments.ts'
import { openSpool } from './spool.ts'

const spools = useSpools()

test('while the disk is short of space nothing is taken, and what was taken before is stored', async () => {
  const table = createTable()
  let isDiskShort = false
  const spool = await openSpool({
    ...{ folder: spools.folder, content: 'events', targets: ['events'], durability: 'disk', settings, log: silent },
    sinks: { events: (lines) => table.store(lines) },
    isDiskShort: () => isDiskShort,
    now: () => new Date(),
  })
  spools.closeLater(spool)
  expect(await spool.append(event('first'))).toBe(true)
  isDiskShort = true
  expect(await spool.append(event('second'))).toBe(false)
  isDiskShort = false
  expect(await spool.append(event('third'))).toBe(true)
  await spool.settled()
  expect(table.rows()).toEqual(['first', 'third'])
})

test('what was appended is stored once, in order, over many segments', async () => {
  const table = createTable()
  const spool = await spools.open(table)
  await Promise.all(numbers(500).map((line) => spool.append(event(line))))
  await expect.poll(() => table.rows()).toEqual(numbers(500))
  await expect.poll(() => spool.backlog()).toMatchObject({ bytes: 0, lagMs: 0, trouble: null })
  expect(await listSegments(spools.folder)).toHaveLength(1)
})

test('an appended record is on the disk when its promise resolves', async () => {
  const table = createTable()
  table.failing = 'refuses'
  const spool = await spools.open(table)
  await spool.append(event('{"n":1}'))
  const [segment = -1] = await listSegments(spools.folder)
  expect(await readFile(segmentPath(spools.folder, segment), 'latin1')).toContain('{"n":1}')
})

test('while the engine is away events are taken up to the limit, and stored when it is back', async () => {
  const table = createTable()
  table.failing = 'refuses'
  const spool = await spools.open(table, { backlogBytes: 1_000 })
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
  const before = await spools.open(table)
  await before.append(event('{"n":0}\n{"n":1}', 2))
  await expect.poll(() => table.attempts.length).toBeGreaterThan(0)
  await before.close()
  const attempts = table.attempts.length

  table.failing = false
  const after = await spools.open(table)
  await after.append(event('{"n":2}'))
  await expect.poll(() => table.rows()).toEqual(['{"n":0}', '{"n":1}', '{"n":2}'])
  expect(table.attempts.slice(attempts).flat()).toEqual(['{"n":0}', '{"n":1}', '{"n":2}'])
})

test('a folder that cannot be used is refused with what to do', async () => {
  await rm(spools.folder, { recursive: true })
  await writeFile(spools.folder, 'a file, not a folder')
  await expect(spools.open(createTable())).rejects.toMatchObject({
    code: 'CLEW_SPOOL_UNUSABLE',
    message: expect.stringContaining(spools.folder),
    hint: expect.stringContaining('disk'),
  })
})

test('a folder that stops to take anything is told by health, until it takes again', async () => {
  const table = createTable()
  const spool = await spools.open(table)
  await spool.append(event('{"n":0}'))
  await spool.settled()
  expect(await spool.health()).toMatchObject({ name: 'storing events', state: 'up' })
  const elsewhere = `${spools.folder}-moved`
  await spool.close()
  const again = await spools.open(table)
  await rename(spools.folder, elsewhere)
  await expect(again.append(event('{"n":1}'))).rejects.toThrow('ENOENT')
  expect(await again.health()).toMatchObject({ state: 'down', detail: expect.stringContaining('Make room') })
  await rename(elsewhere, spools.folder)
  expect(await again.health()).toMatchObject({ state: 'up' })
  expect(await again.append(event('{"n":2}'))).toBe(true)
  await expect.poll(() => table.rows()).toEqual(['{"n":0}', '{"n":2}'])
})

test('a spool that makes no progress is degraded at once, and down after a while; what waits stays', async () => {
  const table = createTable()
  table.failing = 'refuses'
  let aheadMs = 0
  const spool = await spools.open(table, {}, undefined, undefined, () => new Date(Date.now() + aheadMs))
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
  const spool = await spools.open(table, { batchMs: 60_000 })
  await spool.append(event('{"n":0}'))
  await spool.settled()
  await spool.append(event('{"n":1}'))
  await spool.settled()
  expect(table.rows()).toEqual(['{"n":0}', '{"n":1}'])
})

test('what a process left that does not come back is stored by another', async () => {
  await spools.leave(['{"n":0}'])
  const table = createTable()
  const left = await drainSpools(() => spools.open(table), [spools.folder])
  await expect.poll(() => table.rows()).toEqual(['{"n":0}'])
  await left.close()
})

test('a sink is told when rows may be stored already', async () => {
  await spools.leave(['{"n":0}'])
  const told: unknown[] = []
  let failures = 1
  const spool = await spools.open(createTable(), {}, async (lines, { again, attempt }) => {
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
  const spool = await spools.open(table, {}, async (lines) => {
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
    const spool = await spools.open(table)
    await spool.append(event(`{"start":${start}}`))
    for (const segment of (await listSegments(spools.folder)).slice(-1)) segments.add(segment)
    await expect.poll(() => spool.backlog().bytes).toBe(0)
    await spool.close()
  }
  expect(table.rows()).toEqual(['{"start":0}', '{"start":1}', '{"start":2}'])
  expect(segments.size).toBe(3)
  expect((await readdir(spools.folder)).filter((name) => name.endsWith('.segment'))).toHaveLength(1)
})
