import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTable, event, numbers, useSpools } from '../../../../test/spool-world.ts'
import { createSpoolReader, type ReadBatch } from './reader.ts'
import { renderRecord } from './record.ts'
import { type Position, segmentBytes, segmentPath } from './segments.ts'

const spools = useSpools()

async function readBetween(from: Position, end: Position): Promise<ReadBatch> {
  const reader = createSpoolReader({
    folder: spools.folder,
    targets: 3,
    damageFolder: join(spools.folder, 'damaged'),
    damageLimitBytes: 1_000_000,
  })
  try {
    return await reader.read(from, end, { rows: 100, bytes: 1_000_000 })
  } finally {
    await reader.close()
  }
}

test.each([1, 7, 12, 14])(
  'of a tail torn %i bytes into its record only the tail is left out, and copied',
  async (tornBytes) => {
    const segment = await spools.leave(['{"n":0}'])
    const torn = Buffer.concat(renderRecord(0, { rows: 1, lines: '{"n":"torn"}' })).subarray(0, tornBytes)
    await appendFile(segmentPath(spools.folder, segment), torn)

    const table = createTable()
    const after = await spools.open(table)
    await after.append(event('{"n":1}'))
    await expect.poll(() => table.rows()).toEqual(['{"n":0}', '{"n":1}'])
    await after.settled()
    expect(after.backlog()).toMatchObject({ bytes: 0, damagedBytes: tornBytes })
    const [aside = ''] = await readdir(join(spools.folder, 'damaged'))
    expect(await readFile(join(spools.folder, 'damaged', aside))).toEqual(torn)
  },
)

test('a turned byte costs the record that it stands in, wherever it is', async () => {
  const lines = numbers(5)
  const segment = await spools.leave(lines)
  const path = segmentPath(spools.folder, segment)
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
        const frames = values.flatMap((value, index) => renderRecord(index % 3, { rows: 1, lines: value }))
        const file = Buffer.concat(frames)
        const from = place % file.length
        const damaged = Buffer.from(file)
        damaged.set(bytes.subarray(0, file.length - from), from)
        await writeFile(segmentPath(spools.folder, 1), damaged)
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
  const first = await spools.leave(numbers(3), { segmentBytes: 1 })
  await truncate(segmentPath(spools.folder, first), (await segmentBytes(spools.folder, first)) - 1)
  const table = createTable()
  const after = await spools.open(table)
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
  await spools.leave(numbers(3))
  await writeFile(join(spools.folder, 'cursor.json'), cursor)
  const table = createTable()
  const logged: string[] = []
  await spools.open(table, {}, undefined, { warn: (_details, message) => logged.push(message), error: () => undefined })
  await expect.poll(() => table.rows()).toEqual(numbers(3))
  expect(logged).toEqual([expect.stringContaining('the cursor is unusable')])
})
