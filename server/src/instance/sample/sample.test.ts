import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../test/harness.ts'
import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import { threadTables } from '../../services/thread/index.ts'
import { createSample, type RowStore, type Sample } from './sample.ts'

const recordedAt = Date.parse('2026-03-04T10:00:00Z')
const origin = 'http://127.0.0.1:7001'
const now = new Date(2027, 5, 8, 9, 30)
const midnight = new Date(2027, 5, 8)
const time = (ms: number) => new Date(recordedAt + ms).toISOString().replace('T', ' ').slice(0, 23)

const cups = [
  { id: 1, name: 'blue', sold: 3, made_at: '2026-03-01T00:00:00+00:00' },
  { id: 7, name: 'red', sold: 0, made_at: '2026-03-04T10:00:02.123456+00:00' },
]
/** Large enough that a batch holds some of them. */
const requests = Array.from({ length: 6 }, (_, index) => ({
  id: `request ${index}`,
  time: time(1000 + index),
  path: `/${'x'.repeat(400_000)}`,
}))

interface World {
  readonly db: TestDatabase
  readonly clickhouse: ClickHouse
  /** The tokens with which rows were stored, in order. */
  readonly tokens: string[]
  /** A start of the instance, as far as the sample is concerned; `store` may fail. */
  start(options?: { readonly file?: string | null; readonly tables?: object }): Promise<Sample>
  readonly requests: RowStore
  times(): Promise<readonly { readonly id: string; readonly time: string }[]>
}

const test = base.extend<'world', World>('world', async ({ db, clickhouse }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-sample-'))
  onCleanup(() => rm(folder, { recursive: true }))
  await clickhouse.migrate('thread', threadTables.clickhouse)
  await db.migrate('instance', new URL('../migrations/', import.meta.url))
  const tokens: string[] = []
  return {
    db,
    clickhouse,
    tokens,
    async start({ file = join(folder, 'visits.gz'), tables = { 'public.cups': cups, requests } } = {}) {
      if (file !== null) await writeFile(file, render(tables))
      const sample = createSample({
        file,
        admin: db.admin,
        auth: db.auth,
        owner: db.owner,
        serviceTables: [],
        schemas: ['public'],
        now: () => now,
      })
      await sample.expect()
      await db.script(`
        create schema if not exists supabase_migrations;
        create table if not exists supabase_migrations.schema_migrations (version text primary key);
        create table if not exists public.cups (
          id bigint generated always as identity primary key,
          name text not null, sold int not null, made_at timestamptz not null, colour text not null default 'plain',
          twice int generated always as (sold * 2) stored);
        create or replace function public.count_cup() returns trigger language plpgsql as
          $$ begin new.sold := new.sold + 100; return new; end $$;
        create or replace trigger count_cup before insert or update on public.cups
          for each row execute function public.count_cup();`)
      return sample
    },
    async requests(rows, token) {
      tokens.push(token)
      await clickhouse.insertLines('requests', rows, { token })
    },
    times: () => clickhouse.query({ text: 'select id, time from requests order by time', parameters: {} }),
  }
})

function render(tables: object): Buffer {
  const head = { sample: 1, sessions: 2, until: recordedAt + 60_000, scenes: [{ recordedAt, timeOfDay: '08:15:00' }] }
  const sections = Object.entries(tables).flatMap(([table, rows]: [string, object[]]) => [
    { table, rows: rows.length },
    ...rows,
  ])
  return gzipSync([head, ...sections].map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const cupsIn = async ({ db }: World) =>
  (await db.admin.query(compile(sql`select id::int, name, sold, made_at, colour, twice from public.cups order by id`)))
    .rows

const shown = new Date(2027, 5, 7, 8, 15).getTime()

test('a new database begins with the visits, shown as yesterday’s', async ({ world }) => {
  const sample = await world.start()
  expect(await sample.restore()).toEqual(midnight)
  expect(await cupsIn(world)).toEqual([
    { id: 1, name: 'blue', sold: 3, made_at: new Date('2026-03-01T00:00:00Z'), colour: 'plain', twice: 6 },
    { id: 7, name: 'red', sold: 0, made_at: new Date(shown + 2123), colour: 'plain', twice: 0 },
  ])
  expect(await sample.load({ requests: world.requests }, origin)).toEqual({ sessions: 2 })
  const times = await world.times()
  expect(times.map(({ time: at }) => Date.parse(`${at}Z`))).toEqual(requests.map((_, index) => shown + 1000 + index))
})

test('what comes next counts on where the visits ended', async ({ world }) => {
  await (await world.start()).restore()
  const { rows } = await world.db.owner.query(
    compile(sql`insert into public.cups (name, sold, made_at) values ('new', 0, now()) returning id::int, sold`),
  )
  expect(rows).toEqual([{ id: 8, sold: 100 }])
})

test('rows that the seed made are as the visits left them', async ({ world }) => {
  const sample = await world.start()
  await world.db.script(`insert into public.cups (name, sold, made_at, colour) values ('blue', 0, now(), 'gold')`)
  await sample.restore()
  expect((await cupsIn(world))[0]).toMatchObject({ id: 1, sold: 3, colour: 'gold' })
})

test('they are loaded once', async ({ world }) => {
  const first = await world.start()
  await first.restore()
  await first.load({ requests: world.requests }, origin)
  await world.db.script(`delete from public.cups where id = 1`)
  const second = await world.start()
  expect(await second.restore()).toEqual(midnight)
  expect(await second.load({ requests: world.requests }, origin)).toBeNull()
  expect(await world.times()).toHaveLength(requests.length)
  expect(await cupsIn(world)).toHaveLength(1)
})

test('what a start did not finish the next one finishes, and nothing is there twice', async ({ world }) => {
  const killed = await world.start()
  await killed.restore()
  const failing: RowStore = async (rows, token) => {
    if (world.tokens.length === 2) throw new Error('killed')
    await world.requests(rows, token)
  }
  await expect(killed.load({ requests: failing }, origin)).rejects.toThrow('killed')
  expect(await world.times()).toHaveLength(4)
  const next = await world.start()
  await next.restore()
  expect(await next.load({ requests: world.requests }, origin)).toEqual({ sessions: 2 })
  expect(world.tokens).toEqual([0, 1, 0, 1, 2].map((index) => `sample/requests/${index}`))
  expect((await world.times()).map(({ id }) => id)).toEqual(requests.map(({ id }) => id))
})

test('a start that is stopped meanwhile leaves the rest to the next one', async ({ world }) => {
  const stopped = await world.start()
  await stopped.restore()
  const closing: Promise<void>[] = []
  const stopping: RowStore = async (rows, token) => {
    closing.push(stopped.close())
    await world.requests(rows, token)
  }
  expect(await stopped.load({ requests: stopping }, origin)).toBeNull()
  await Promise.all(closing)
  expect(await world.times()).toHaveLength(2)
  const next = await world.start()
  await next.load({ requests: world.requests }, origin)
  expect(await world.times()).toHaveLength(requests.length)
})

test('a start that died before it began leaves the visits to the next one, unless that wants none', async ({
  world,
}) => {
  await world.start()
  const sample = await world.start()
  expect(await sample.restore()).toEqual(midnight)
  await world.db.admin.query(compile(sql`update clew_instance.samples set day = null`))
  expect(await (await world.start({ file: null })).restore()).toBeNull()
  expect(await (await world.start()).restore()).toBeNull()
})

test('a database that was begun without them is left alone', async ({ world }) => {
  const without = await world.start({ file: null })
  expect(await without.restore()).toBeNull()
  const sample = await world.start()
  expect(await sample.restore()).toBeNull()
  expect(await sample.load({ requests: world.requests }, origin)).toBeNull()
  expect(await cupsIn(world)).toEqual([])
  expect(await world.times()).toEqual([])
})

test.for([
  ['a table of nobody’s', { 'clew_operators.operators': [{ id: 1 }] }, 'may not fill clew_operators.operators'],
  [
    'a row that does not fit',
    { 'public.cups': [...cups, { id: 8, name: null, sold: 1 }] },
    'null value in column "name"',
  ],
] as const)('of a file with %s nothing is kept, and the start says why', async ([_, tables, reason], { world }) => {
  const sample = await world.start({ tables: { 'public.cups': cups, ...tables } })
  await expect(sample.restore()).rejects.toMatchObject({
    code: 'CLEW_START_PROJECT',
    message: expect.stringContaining(reason),
  })
  expect(await cupsIn(world)).toEqual([])
})
