import { expect, test } from 'vitest'
import { createTable, event, numbers, settings, silent, useSpools } from '../../../test/spool-world.ts'
import { openSpool } from './spool.ts'

const spools = useSpools()

test('while rows keep coming, the next full batch waits; one who waits for all of it is not kept waiting', async () => {
  const table = createTable()
  let aheadMs = 0
  let appended: Promise<unknown> = Promise.resolve()
  const spool = await openSpool({
    ...{ folder: spools.folder, content: 'events', targets: ['events'], durability: 'disk', log: silent },
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
  spools.closeLater(spool)
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

test('a lone event is stored well within a second, and a burst in few batches', async () => {
  const table = createTable()
  const spool = await spools.open(table, { batchMs: 500, batchRows: 1000 })
  const began = Date.now()
  await spool.append(event('{"n":"lone"}'))
  await expect.poll(() => table.rows()).toHaveLength(1)
  expect(Date.now() - began).toBeLessThan(500)
  await Promise.all(numbers(400).map((line) => spool.append(event(line))))
  await expect.poll(() => table.rows()).toHaveLength(401)
  expect(table.batches.length).toBeLessThanOrEqual(4)
})

test('what came while a batch was stored goes together, up to the most rows of one', async () => {
  const table = createTable()
  let behind: Promise<unknown> | null = null
  const spool = await openSpool({
    ...{ folder: spools.folder, content: 'events', targets: ['events'], durability: 'disk', log: silent },
    settings: { ...settings, batchRows: 10, maxBatchRows: 40 },
    sinks: {
      async events(lines) {
        behind ??= spool.append(numbers(60).flatMap((line) => event(line)))
        await behind
        await table.store(lines)
      },
    },
    now: () => new Date(),
  })
  spools.closeLater(spool)
  await spool.append(numbers(10).flatMap((line) => event(line)))
  await expect.poll(() => table.batches.map((rows) => rows.length)).toEqual([10, 40, 20])
})

test('records become others before they are stored, in their order, and again where that failed', async () => {
  const table = createTable()
  let failures = 1
  const spool = await openSpool({
    ...{
      folder: spools.folder,
      content: 'events',
      targets: ['events', 'folded'],
      durability: 'disk',
      settings,
      log: silent,
    },
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
  spools.closeLater(spool)
  await spool.append([...event('first'), { target: 'folded', rows: 2, lines: 'second third' }, ...event('fourth')])
  await spool.settled()
  expect(table.rows()).toEqual(['first', 'second', 'third', 'fourth'])
  expect(failures).toBe(-1)
})
