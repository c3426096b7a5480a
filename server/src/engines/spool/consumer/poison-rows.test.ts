import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { type ClickHouse, classifyClickHouseError } from '../../clickhouse/index.ts'
import { isolatePoisonRows } from './poison-rows.ts'
import { createRefusedRows } from './refused-rows.ts'

let folder: string
let logged: object[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-refused-'))
  logged = []
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const openRefused = (limitBytes = 1_000_000) =>
  createRefusedRows({
    folder,
    limitBytes,
    now: () => new Date('2026-01-02T03:04:05Z'),
    log: { warn: (details) => logged.push(details), error: (details) => logged.push(details) },
  })

const first = { again: false, attempt: 1, signal: new AbortController().signal }
const row = (id: number, at = '2026-01-02') => `{"id":${id},"at":"${at}"}`
const block = (...rows: readonly string[]): Buffer => Buffer.from(rows.join('\n'))

async function createTable(clickhouse: ClickHouse) {
  const text = 'create table dated (id UInt32, at Date) engine = ReplacingMergeTree order by id'
  await clickhouse.command({ text, parameters: {} })
  let tries = 0
  const refused = openRefused()
  return {
    refused,
    tries: () => tries,
    sink: isolatePoisonRows({
      target: 'dated',
      store: (lines) => {
        tries += 1
        return clickhouse.insertLines('dated', lines)
      },
      storeFitting: (lines) => clickhouse.insertLines('dated', lines, { onlyFitting: true }),
      classify: classifyClickHouseError,
      refused,
    }),
    async ids() {
      const question = { text: 'select id from dated final order by id', parameters: {} }
      return (await clickhouse.query<{ id: number }>(question)).map(({ id }) => Number(id))
    },
  }
}

const setAside = async (): Promise<{ target: string; reason: string; row: string; at: string }[]> =>
  (await readFile(join(folder, 'rows.ndjson'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('a row that does not fit is set aside with its reason, all others are stored once', async ({ clickhouse }) => {
  const { sink, ids, refused } = await createTable(clickhouse)
  const unfit = '{"id":"six","name":"Maria, 01998a5e-7b7c-7e3f-8a4e-3f6f0a1b2c3d"}'
  const blocks = [block(row(1), row(2), row(3, 'never')), block(row(4)), block(row(5), unfit, row(7))]
  await sink(blocks, first)
  await sink(blocks, { ...first, again: true })
  expect(await ids()).toEqual([1, 2, 4, 5, 7])
  expect(refused.count()).toBe(4)
  expect((await setAside()).slice(0, 2)).toEqual([
    { at: '2026-01-02T03:04:05.000Z', target: 'dated', reason: 'CANNOT_PARSE_DATE (38)', row: row(3, 'never') },
    expect.objectContaining({ row: unfit }),
  ])
  expect((await stat(join(folder, 'rows.ndjson'))).mode & 0o777).toBe(0o600)
  expect(JSON.stringify(logged)).toContain('01998a5e-7b7c-7e3f-8a4e-3f6f0a1b2c3d')
  expect(JSON.stringify(logged)).not.toMatch(/Maria|never|six/)
})

test('thousands of rows that do not fit take a bounded number of attempts, and no row with them', async ({
  clickhouse,
}) => {
  const { sink, ids, tries, refused } = await createTable(clickhouse)
  const unfit = Array.from({ length: 2000 }, (_, index) => row(index, 'never'))
  const mixed = Array.from({ length: 300 }, (_, index) =>
    block(row(10_000 + index, index % 2 === 0 ? 'no' : undefined)),
  )
  await sink([block(row(1)), block(...unfit), block(row(2)), ...mixed], first)
  expect(tries()).toBeLessThanOrEqual(52)
  const stored = await ids()
  expect(stored).toEqual([1, 2, ...mixed.flatMap((_, index) => (index % 2 === 0 ? [] : [10_000 + index]))])
  const aside = new Set((await setAside()).map(({ row }) => row))
  for (const line of unfit) expect(aside).toContain(line)
  expect(refused.count()).toBeGreaterThanOrEqual(2150)
})

test('what an engine cannot do at the moment is tried again, whole', async ({ clickhouse }) => {
  const { refused } = await createTable(clickhouse)
  const sink = isolatePoisonRows({
    target: 'missing',
    store: (lines) => clickhouse.insertLines('missing', lines),
    classify: classifyClickHouseError,
    refused,
  })
  await expect(sink([block(row(1), row(2))], first)).rejects.toThrow('UNKNOWN_TABLE (60)')
  await expect(sink([block(row(1), row(2))], { ...first, attempt: 8 })).rejects.toThrow('UNKNOWN_TABLE (60)')
  expect(refused.count()).toBe(0)
})

test('a row by which the engine itself fails is found after some attempts', async ({ clickhouse }) => {
  const { ids, refused } = await createTable(clickhouse)
  const sink = isolatePoisonRows({
    target: 'dated',
    store(lines) {
      if (Buffer.concat(lines).includes('"id":13,')) throw new Error('socket hang up')
      return clickhouse.insertLines('dated', lines)
    },
    classify: classifyClickHouseError,
    refused,
  })
  const blocks = Array.from({ length: 20 }, (_, index) => block(row(index)))
  await expect(sink(blocks, first)).rejects.toThrow('socket hang up')
  await sink(blocks, { ...first, attempt: 8 })
  expect(await ids()).toEqual(Array.from({ length: 20 }, (_, index) => index).filter((id) => id !== 13))
  expect((await setAside()).map(({ row }) => row)).toEqual([row(13)])
})

test('the file of refused rows stays below its limit, and keeps the latest', async () => {
  const refused = openRefused(10_000)
  for (let id = 0; id < 500; id += 1) await refused.write('dated', 'CANNOT_PARSE_DATE (38)', [block(row(id))])
  const sizes = await Promise.all(
    ['rows.ndjson', 'rows.1.ndjson'].map(async (name) => (await stat(join(folder, name))).size),
  )
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(10_000)
  expect((await setAside()).at(-1)?.row).toBe(row(499))
  expect(refused.count()).toBe(500)
})
