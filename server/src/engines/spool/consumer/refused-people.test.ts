import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from 'vitest'
import type { Subject } from '../../../ground/privacy/person.ts'
import { forgetRefusedRows, refusedPersonStore } from './refused-people.ts'
import { createRefusedRows } from './refused-rows.ts'

const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern
  .extend('spools', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-refused-'))
    onCleanup(() => rm(folder, { recursive: true, force: true }))
    return folder
  })

const openRefused = (folder: string, limitBytes = 1_000_000) =>
  createRefusedRows({
    ...{ folder, limitBytes, now: () => new Date('2026-01-02T03:04:05Z') },
    log: { warn: () => undefined, error: () => undefined },
  })

const write = (folder: string, ...rows: readonly unknown[]) =>
  openRefused(folder).write(
    'events',
    'CANNOT_PARSE_DATE (38)',
    rows.map((row) => Buffer.from(typeof row === 'string' ? row : JSON.stringify(row))),
  )

/** The rows of a file, null where one was erased. */
const rowsOf = async (path: string): Promise<readonly (string | null)[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { row?: string }).row ?? null)

/** After all rows of these tests were refused. */
const later = { receivedMs: Date.parse('2026-01-02T03:04:06Z') }

const ada: Subject = {
  ...{ personId: null, userId: null, distinctIds: ['ada', 'a "quoted" id'], sessionIds: [] },
  ...{ texts: ['ada@shop.test'], refuses: false },
}

test('the rows of a person go from the files of all processes, whatever table refused them; others stay', async ({
  spools,
}) => {
  const [own, ofWorker, ofChanges] = ['refused', 'worker-2/refused', 'refused/changes'].map((path) =>
    join(spools, path),
  )
  const [bobs, namesake] = [
    ['uuid', 'ordered', 'bob', { of: 'adam' }],
    ['uuid', 'ordered', 'nada', {}],
  ]
  await write(own ?? '', ['uuid', 'ordered', 'ada', {}], bobs, { distinct_id: 'a "quoted" id' }, namesake)
  await write(ofWorker ?? '', '{"distinct_id":"ada","properties":', bobs)
  // A column holds JSON, in which JSON is a text.
  await write(ofChanges ?? '', { new: JSON.stringify({ note: JSON.stringify({ by: 'ada' }) }) }, bobs)
  const files = [own, ofWorker, ofChanges].map((folder) => join(folder ?? '', 'rows.ndjson'))

  const store = refusedPersonStore(spools)
  expect(await store.count(ada)).toBe(4)
  const read: string[] = []
  for await (const row of store.read(ada)) read.push(row)
  expect(read.map((row) => (JSON.parse(row) as { target: string }).target)).toEqual(Array(4).fill('events'))

  await forgetRefusedRows(spools, ada.distinctIds, later)
  expect(await Promise.all(files.map(rowsOf))).toEqual([
    [null, JSON.stringify(bobs), null, JSON.stringify(namesake)],
    [null, JSON.stringify(bobs)],
    [null, JSON.stringify(bobs)],
  ])
  expect(await store.count(ada)).toBe(0)
})

test('rows that were refused after a new consent stay', async ({ spools }) => {
  const folder = join(spools, 'refused')
  await write(folder, ['uuid', 'ordered', 'ada', {}])
  await forgetRefusedRows(spools, ['ada'], { receivedMs: Date.parse('2026-01-02T03:04:05Z') })
  expect(await refusedPersonStore(spools).count(ada)).toBe(1)
  await forgetRefusedRows(spools, ['ada'], later)
  expect(await refusedPersonStore(spools).count(ada)).toBe(0)
})

test('an erasure takes rows of others in which the person is named, too, and what is written meanwhile stays', async ({
  spools,
}) => {
  const folder = join(spools, 'refused')
  const refused = openRefused(folder)
  const row = (text: string) => [Buffer.from(JSON.stringify(['uuid', 'wrote', 'bob', text]))]
  await refused.write('events', 'r', row('to ADA@shop.test'))
  await refused.write('events', 'r', row('to nada@shop.test'))
  const store = refusedPersonStore(spools)
  expect(await store.count(ada)).toBe(0)
  const [erased] = await Promise.all([
    store.erase(ada, { cause: 'c', signal: new AbortController().signal, progress: async () => undefined }),
    refused.write('events', 'r', row('later')),
  ])
  expect(erased).toEqual({ removed: 1, rewritten: 0 })
  expect((await rowsOf(join(folder, 'rows.ndjson'))).map((one) => one?.split('"')[7] ?? null)).toEqual([
    null,
    'to nada@shop.test',
    'later',
  ])
})

test('rows longer than a read, the file before the last one, and what a killed process left are looked through', async ({
  spools,
}) => {
  const folder = join(spools, 'refused')
  await mkdir(folder)
  const line = (id: string, length: number) =>
    JSON.stringify({ at: '', target: 'events', reason: '', row: JSON.stringify(['uuid', 'e', id, 'x'.repeat(length)]) })
  await writeFile(
    join(folder, 'rows.1.ndjson'),
    `${line('bob', 400_000)}\n${line('ada', 700_000)}\n${line('bob', 3)}\n`,
  )
  await writeFile(join(folder, 'rows.ndjson'), line('ada', 5))
  await forgetRefusedRows(spools, ['ada'], later)
  const left = await Promise.all(['rows.1.ndjson', 'rows.ndjson'].map((name) => rowsOf(join(folder, name))))
  expect(left.map((rows) => rows.map((row) => row?.length ?? 0))).toEqual([[400_021, 0, 24], [0]])
})

test('a row that is larger than the file may be is cut, and the next stands on a line of its own', async ({
  spools,
}) => {
  const folder = join(spools, 'refused')
  const refused = openRefused(folder, 2000)
  await refused.write('events', 'r', [Buffer.from('x'.repeat(5000))])
  const text = await readFile(join(folder, 'rows.ndjson'), 'utf8')
  expect([text.length, text.endsWith('x\n')]).toEqual([1000, true])
})
