import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClickHouseError } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { sql, typed } from '../../ground/sql/sql.ts'
import { type ClickHouse, createClickHouse } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-ch-'))
let clickhouse: ClickHouse

beforeAll(async () => {
  clickhouse = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketPath: join(folder, 's'),
    memoryBytes: 300 * 1024 * 1024,
    log: () => undefined,
  })
  await clickhouse.ready()
})

afterAll(async () => {
  await clickhouse.close()
  rmSync(folder, { recursive: true, force: true })
})

const query = (fragment: ReturnType<typeof sql>) => clickhouse.query(compileClickHouse(fragment))
const command = (fragment: ReturnType<typeof sql>) => clickhouse.command(compileClickHouse(fragment))

test('values are bound, whatever they hold', async () => {
  const odd = `o'hara \\ "x"\n\t{p1:String} é 日本 --; ' or 1=1`
  const rows = await query(
    sql`select ${odd} as text, ${typed([odd, 'b'], 'Array(String)')} as list, ${42} as number,
      ${typed(null, 'Nullable(String)')} as nothing, ${typed('18446744073709551615', 'UInt64')} as large`,
  )
  expect(rows).toEqual([{ text: odd, list: [odd, 'b'], number: '42', nothing: null, large: '18446744073709551615' }])
})

test('more values are bound than an address holds', async () => {
  const odd = `o'hara \\ "x"\r\n\t{p1:String} é 日本 --; ' or 1=1`
  const values = Array.from({ length: 1000 }, (_, number) => `${number} ${odd}`)
  const rows = await query(sql`select ${odd} as text, ${typed(values, 'Array(String)')} as list`)
  expect(rows).toEqual([{ text: odd, list: values }])
})

test('a parameter of one statement is not seen by the next', async () => {
  await query(sql`select ${'first'} as a`)
  await expect(clickhouse.query({ text: 'select {p0:String} as a', parameters: {} })).rejects.toMatchObject({
    code: '456',
  })
})

test('a refusal carries the engine’s code and type', async () => {
  const refused = clickhouse.query({ text: 'select * from missing', parameters: {} })
  await expect(refused).rejects.toBeInstanceOf(ClickHouseError)
  await expect(refused).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' })
  await expect(clickhouse.query({ text: 'selec 1', parameters: {} })).rejects.toMatchObject({ code: '62' })
})

test('several statements in one text are refused', async () => {
  const text = 'select 1 as a; drop table migrations'
  await expect(clickhouse.query({ text, parameters: {} })).rejects.toMatchObject({ code: '62' })
  await expect(clickhouse.command({ text, parameters: {} })).rejects.toMatchObject({ code: '62' })
})

test('inserted rows are read back; the same token stores them once, no token as often as they come', async () => {
  await command(sql`create table once (id UInt64, at DateTime64(3, 'UTC'), text String) engine = MergeTree order by id
    settings non_replicated_deduplication_window = 100`)
  const rows = [
    { id: 1, at: '2026-01-02T03:04:05.678Z', text: 'a "quoted" \u0000 line\n' },
    { id: 2, at: '2026-01-02 03:04:05.678', text: '' },
  ]
  for (const token of ['t1', 't1', 't2']) await clickhouse.insert('once', rows, { token })
  expect(await query(sql`select count() as count from once`)).toEqual([{ count: '4' }])
  for (let time = 0; time < 2; time += 1) await clickhouse.insert('once', rows)
  expect(await query(sql`select count() as count from once`)).toEqual([{ count: '8' }])
  expect(await query(sql`select distinct id, at, text from once order by id`)).toEqual([
    { id: '1', at: '2026-01-02 03:04:05.678', text: 'a "quoted" \u0000 line\n' },
    { id: '2', at: '2026-01-02 03:04:05.678', text: '' },
  ])
})

test('lines of values go to the columns named, what they leave out is the default', async () => {
  await command(sql`
    create table valued (id UInt64, at DateTime64(3, 'UTC'), json String, late String default 'later')
    engine = MergeTree order by id`)
  const columns = ['at', 'id', 'json', 'late']
  await clickhouse.insertLines('valued', ['[1767323045678,1,{"a": [1.0]}]', '[null,2,"","now"]'], { columns })
  expect(await query(sql`select id, at, json, late from valued order by id`)).toEqual([
    { id: '1', at: '2026-01-02 03:04:05.678', json: '{"a": [1.0]}', late: 'later' },
    { id: '2', at: '1970-01-01 00:00:00.000', json: '', late: 'now' },
  ])
  await expect(clickhouse.insertLines('valued', ['[1]'], { columns: ['id) values (1'] })).rejects.toThrow(TypeError)
})

test('a line that does not fit stores no line', async () => {
  await command(sql`create table whole (id UInt64) engine = MergeTree order by id`)
  const lines = [...Array.from({ length: 50_000 }, (_, id) => `{"id":${id}}`), '{"id":"x"}']
  await expect(clickhouse.insertLines('whole', lines)).rejects.toMatchObject({ code: '27' })
  expect(await query(sql`select count() as count from whole`)).toEqual([{ count: '0' }])
})

test('texts are streamed as they are, and leaving early stops the statement', async () => {
  let sum = 0
  for await (const text of clickhouse.streamTexts({
    text: `select concat('\\t\\\\', toString(number)) from numbers({p0:UInt64})`,
    parameters: { p0: 300_000 },
  })) {
    expect(text.startsWith('\t\\')).toBe(true)
    sum += Number(text.slice(2))
  }
  expect(sum).toBe((300_000 * 299_999) / 2)
  const endless = { text: 'select toString(number) from numbers(10000000000)', parameters: {} }
  for await (const text of clickhouse.streamTexts(endless)) {
    expect(text).toBe('0')
    break
  }
  await expect.poll(running).toEqual([])
})

test('a failure after the first rows reaches the reader as an error', async () => {
  const read = async (): Promise<void> => {
    const texts = clickhouse.streamTexts({
      text: 'select toString(throwIf(number = 90000)) from numbers(100000) settings max_block_size = 1000, max_threads = 1',
      parameters: {},
    })
    for await (const text of texts) expect(text).toBe('0')
  }
  await expect(read()).rejects.toMatchObject({ code: '395' })
})

test('a light statement does not wait behind heavy ones, and an abandoned one is stopped', async () => {
  const abort = new AbortController()
  const heavy = [1, 2, 3].map((salt) =>
    clickhouse
      .query(compileClickHouse(sql`select sum(sipHash64(number + ${salt})) from numbers(20000000000)`), abort.signal)
      .catch((error: unknown) => error),
  )
  await expect.poll(async () => (await running()).length).toBe(3)
  expect(await query(sql`select ${'light'} as weight`)).toEqual([{ weight: 'light' }])
  abort.abort()
  for (const outcome of await Promise.all(heavy)) expect(outcome).toBeInstanceOf(Error)
  await expect.poll(running).toEqual([])
})

test('what a person waits for goes before statements that wait for the engine', async () => {
  const order: string[] = []
  // Four are run at a time.
  const others = Array.from({ length: 24 }, (_, place) =>
    query(sql`select sleep(0.4) + ${place}`).then(() => order.push('other')),
  )
  await expect.poll(() => order.length).toBeGreaterThan(0)
  for await (const text of clickhouse.streamTexts({ text: `select 'first'`, parameters: {} }, { goesFirst: true }))
    order.push(text)
  await Promise.all(others)
  expect(order.indexOf('first')).toBeLessThan(20)
})

test('a statement that wants too much memory is refused and the engine lives on', async () => {
  await expect(
    query(sql`select length(groupArray(number)) from numbers(1000000000) settings max_threads = 2`),
  ).rejects.toMatchObject({ code: '241' })
  expect(await query(sql`select 1 as one`)).toEqual([{ one: 1 }])
})

test('health names the engine and its process', async () => {
  const health = await clickhouse.health()
  expect(health).toMatchObject({ name: 'clickhouse', state: 'up' })
  expect(health.pid).toBeGreaterThan(1)
})

test.runIf(process.platform === 'linux')('what the engine does waits for what the server does', async () => {
  const { pid } = await clickhouse.health()
  const nameOf = (thread: string): string => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim()
  // Node's own carry the name of its program; ClickHouse gives the one that looks after memory the highest priority.
  const others = ['node', 'MemoryWorker']
  const threads = readdirSync(`/proc/${pid}/task`).filter((thread) => !others.includes(nameOf(thread)))
  expect(threads.length).toBeGreaterThan(5)
  for (const thread of threads) expect(getPriority(Number(thread)), nameOf(thread)).toBeGreaterThan(getPriority())
})

test('an engine that hangs is told as down, and as up once it goes on', async () => {
  const pid = (await clickhouse.health()).pid ?? expect.fail('It has no process.')
  process.kill(pid, 'SIGSTOP')
  try {
    expect(await clickhouse.health()).toMatchObject({
      state: 'down',
      detail: expect.stringContaining('no answer in 4000 ms'),
    })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await expect.poll(async () => (await clickhouse.health()).state).toBe('up')
})

async function running(): Promise<readonly unknown[]> {
  return query(sql`select query from system.processes where query like '%numbers(%' and query not like '%processes%'`)
}
