import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../test/harness.ts'
import type { ClickHouse } from '../engines/clickhouse/index.ts'
import type { ChangeTransaction } from '../ground/model/change.ts'
import type { MaskList, Masks } from '../ground/privacy/masks.ts'
import { readSettings } from '../ground/settings/read.ts'
import { threadSettings, threadTables } from '../services/thread/index.ts'
import { type ChangeWorker, createChangeWorker } from './index.ts'

interface World {
  readonly worker: ChangeWorker
  /** Threads that were started. */
  readonly threads: readonly Worker[]
  readonly logged: readonly string[]
  stored(): Promise<number>
}

async function open(
  db: TestDatabase,
  clickhouse: ClickHouse,
  onClose: (close: () => Promise<void>) => void,
  stuckMs = 60_000,
  now?: () => number,
  masks?: Masks,
): Promise<World> {
  await clickhouse.migrate('thread', threadTables.clickhouse)
  const threads: Worker[] = []
  const remember = (thread: Worker): number => threads.push(thread)
  process.on('worker', remember)
  const logged: string[] = []
  const worker = createChangeWorker(
    () => ({
      source: db.changeSource(),
      clickhouse: clickhouse.address,
      settings: readSettings(threadSettings, []).values,
      stuckMs,
      refused: { folder: join(tmpdir(), 'clew-refused-changes'), limitBytes: 1_000_000 },
    }),
    (line) => logged.push(line),
    now,
    undefined,
    masks,
  )
  onClose(async () => {
    process.off('worker', remember)
    await worker.close()
  })
  await worker.begun
  await expect.poll(() => worker.health().state).toBe('up')
  const stored = async (): Promise<number> => {
    const [row] = await clickhouse.query<{ n: string }>({
      text: 'select uniqExact(lsn, seq) as n from changes',
      parameters: {},
    })
    return Number(row?.n)
  }
  return { worker, threads, logged, stored }
}

test('row changes are stored by a thread of their own, after it died as well, and it yields to requests', async ({
  db,
  clickhouse,
  onTestFinished,
}) => {
  await db.load('create table notes (id int primary key)')
  const { worker, threads, logged, stored } = await open(db, clickhouse, onTestFinished)
  await db.load('insert into notes values (1)')
  await expect.poll(stored).toBe(1)
  if (process.platform === 'linux') expect(niceThreads()).toBe(1)

  await threads[0]?.terminate()
  await expect.poll(() => threads.length).toBe(2)
  await db.load('insert into notes values (2)')
  await expect.poll(stored, { timeout: 60_000 }).toBe(2)
  await expect.poll(() => worker.health().state).toBe('up')
  expect(logged.join()).toContain('is started again')
  await expect.poll(() => worker.behindBytes()).toBeLessThan(1024 * 1024)
})

test('another thread goes on with the addresses of now, where the one before it stopped', async ({
  db,
  clickhouse,
  onTestFinished,
}) => {
  await db.load('create table notes (id int primary key)')
  const { worker, threads, logged, stored } = await open(db, clickhouse, onTestFinished)
  await db.load('insert into notes values (1)')
  await worker.renew()
  await expect.poll(() => threads.length).toBe(2)
  await db.load('insert into notes values (2)')
  await expect.poll(stored, { timeout: 60_000 }).toBe(2)
  await expect.poll(() => worker.health().state).toBe('up')
  expect(logged.join()).not.toContain('is started again')
})

test('values of masked columns are stored masked, and nothing is stored while it is not known what is masked', async ({
  db,
  clickhouse,
  onTestFinished,
}) => {
  await db.load('create table notes (id int primary key, text text)')
  let list: MaskList | null = null
  const masks: Masks = { current: async () => list ?? Promise.reject(new Error('unknown')) }
  const { stored, logged } = await open(db, clickhouse, onTestFinished, undefined, undefined, masks)
  await db.load(`insert into notes values (1, 'secret')`)
  await expect.poll(() => logged.join()).toContain('what is masked could not be read')
  expect(await stored()).toBe(0)
  list = { columns: [{ schema: 'public', table: 'notes', column: 'text' }], properties: [] }
  await expect.poll(stored, { timeout: 10_000 }).toBe(1)
  const rows = await clickhouse.query({ text: 'select new from changes', parameters: {} })
  expect(rows).toEqual([{ new: '{"id":"1","text":"[masked]"}' }])
})

test('a reader on the main thread gets each transaction, and again one that it refused', async ({
  db,
  clickhouse,
  onTestFinished,
}) => {
  await db.load('create table notes (id int primary key)')
  const { worker, stored } = await open(db, clickhouse, onTestFinished)
  const seen: ChangeTransaction[] = []
  let refusals = 1
  const leave = worker.subscribe(async (transaction) => {
    if (refusals > 0) {
      refusals -= 1
      throw new Error('busy')
    }
    seen.push(transaction)
  })
  await db.load('insert into notes values (1)')
  await db.load('insert into notes select n from generate_series(2, 9001) n')
  await expect.poll(() => seen.flatMap(({ changes }) => changes).length).toBe(9001)
  expect(seen.map(({ changes }) => changes[0]?.key.id)).toEqual(['1', '2', '5002'])
  expect(refusals).toBe(0)
  leave()
  await db.load('insert into notes values (10000)')
  await expect.poll(stored).toBe(9002)
  expect(seen).toHaveLength(3)
})

test('a reader that makes no progress takes the stream’s health down until it does', async ({
  db,
  clickhouse,
  onTestFinished,
}) => {
  await db.load('create table notes (id int primary key)')
  const { worker } = await open(db, clickhouse, onTestFinished, 300)
  let proceed: () => void = () => undefined
  worker.subscribe(
    () =>
      new Promise((resolve) => {
        proceed = resolve
      }),
  )
  await db.load('insert into notes values (1)')
  await expect
    .poll(() => worker.health())
    .toMatchObject({
      state: 'down',
      detail: expect.stringMatching(/No row change was stored for \d+ s/),
    })
  proceed()
  await expect.poll(() => worker.health().state).toBe('up')
})

test('a thread that is not heard of takes the health of row changes down until it is', async ({
  db,
  clickhouse,
  onTestFinished,
}) => {
  let aheadMs = 0
  const { worker } = await open(db, clickhouse, onTestFinished, 60_000, () => performance.now() + aheadMs)
  aheadMs = 62_000
  // Before the event loop turns, and so before the thread's next report.
  expect(worker.health()).toMatchObject({ state: 'down', detail: expect.stringMatching(/said nothing for 6\d s/) })
  await expect.poll(() => worker.health().state).toBe('up')
})

/** Threads of this process whose priority is lower than its own. */
function niceThreads(): number {
  return readdirSync('/proc/self/task').filter((task) => {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) > getPriority()
  }).length
}
