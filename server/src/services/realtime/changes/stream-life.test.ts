import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { followed, listen, openRealtime } from '../../../../test/realtime-app.ts'

type Change = Record<string, unknown>

/** A subscriber to everything in `public`, and one mark after which all changes before it have come. */
async function follow(db: TestDatabase, table = '*') {
  await db.load(`
    create table public.marks (id int primary key);
    alter publication supabase_realtime add table public.marks`)
  const { client } = await openRealtime(db)
  const heard = await listen(client().channel('any'), { event: '*', schema: 'public', table })
  const marks =
    table === '*' ? heard : await listen(client().channel('marks'), { event: '*', schema: 'public', table: 'marks' })
  await followed(db)
  let mark = 0
  /** What has come since the last call. */
  return async (): Promise<readonly Change[]> => {
    mark += 1
    await db.load(`insert into public.marks values (${mark})`)
    const isMark = ({ table: name, new: row }: Change) => name === 'marks' && (row as { id: number }).id === mark
    await expect.poll(() => marks.some(isMark)).toBe(true)
    return heard.splice(0).filter((change) => change.table !== 'marks')
  }
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is in use, and not what was: how much of that lies about depends on how busy the machine is. */
function heldMib(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 ** 2
}

const told = (changes: readonly Change[]) =>
  changes.map(({ eventType, new: fresh, old }) => [eventType, eventType === 'DELETE' ? old : fresh])

test('definitions change while subscribers listen', async ({ db }) => {
  await db.load(`
    create table notes (id int primary key, body text);
    alter publication supabase_realtime add table notes`)
  const since = await follow(db)
  await db.load(
    `insert into notes values (1, 'a'); alter table notes add column rank int default 7; insert into notes values (2, 'b')`,
  )
  expect(told(await since())).toEqual([
    ['INSERT', expect.objectContaining({ id: 1, body: 'a' })],
    ['INSERT', { id: 2, body: 'b', rank: 7 }],
  ])
  await db.load(`alter table notes rename column body to words; insert into notes values (3, 'c')`)
  expect(told(await since())).toEqual([['INSERT', { id: 3, words: 'c', rank: 7 }]])
  await db.load(
    `alter table notes alter column rank type text using rank || '!'; insert into notes values (4, 'd', 'x')`,
  )
  const retyped = await since()
  expect(told(retyped).at(-1)).toEqual(['INSERT', { id: 4, words: 'd', rank: 'x' }])
  expect(retyped.at(-1)?.columns).toBeUndefined()
  await db.load(`alter table notes drop column words; insert into notes values (5)`)
  expect(told(await since()).at(-1)).toEqual(['INSERT', { id: 5, rank: '7' }])
  await db.load(`alter table notes rename to papers; insert into papers values (6)`)
  expect((await since()).map(({ table }) => table)).toEqual(['papers'])
  await db.load(`alter publication supabase_realtime drop table papers; insert into papers values (7)`)
  // Facts of a table are kept for a moment.
  await expect
    .poll(
      async () => {
        await db.load('delete from papers where id = 8; insert into papers values (8)')
        return (await since()).length
      },
      { timeout: 10_000 },
    )
    .toBe(0)
  await db.load(`alter publication supabase_realtime add table papers`)
  await expect
    .poll(
      async () => {
        await db.load('delete from papers where id = 9; insert into papers values (9)')
        return (await since()).length
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThan(0)
  await db.load(`insert into papers values (10); drop table papers; create table papers (id text primary key)`)
  await db.load(`alter publication supabase_realtime add table papers; insert into papers values ('again')`)
  expect(told(await since()).at(-1)).toEqual(['INSERT', { id: 'again' }])
})

test('a truncation is not told, and what comes after it is', async ({ db }) => {
  await db.load(`
    create table notes (id int primary key);
    alter publication supabase_realtime add table notes`)
  const since = await follow(db)
  await db.load('insert into notes values (1); truncate notes; insert into notes values (2)')
  expect(told(await since()).at(-1)).toEqual(['INSERT', { id: 2 }])
})

test('changes of partitions are told under the table that they are partitions of', async ({ db }) => {
  await db.load(`
    create table days (id int, day date, primary key (id, day)) partition by range (day);
    create table days_1 partition of days for values from ('2026-01-01') to ('2026-02-01');
    create table days_2 partition of days for values from ('2026-02-01') to ('2026-03-01');
    alter publication supabase_realtime add table days`)
  const since = await follow(db, 'days')
  await db.load(`insert into days values (1, '2026-01-05'); update days set day = '2026-02-05'; delete from days`)
  const changes = await since()
  expect(new Set(changes.map(({ table }) => table))).toEqual(new Set(['days']))
  // A row that moves to another partition is deleted here and inserted there.
  expect(told(changes)).toEqual([
    ['INSERT', { id: 1, day: '2026-01-05' }],
    ['DELETE', { id: 1, day: '2026-01-05' }],
    ['INSERT', { id: 1, day: '2026-02-05' }],
    ['DELETE', { id: 1, day: '2026-02-05' }],
  ])
})

test('a table without a key says so instead of its rows', async ({ db }) => {
  await db.load(`
    create table notes (body text);
    alter publication supabase_realtime add table notes;
    alter table notes replica identity full`)
  const since = await follow(db)
  await db.load(`insert into notes values ('a'); update notes set body = 'b'; delete from notes`)
  const changes = await since()
  expect(changes.map(({ eventType, errors }) => [eventType, errors])).toEqual([
    ['INSERT', ['Error 400: Bad Request, no primary key']],
    ['UPDATE', ['Error 400: Bad Request, no primary key']],
    ['DELETE', null],
  ])
})

test.for([
  ['default', { id: 1 }, { id: 1 }],
  ['full', { id: 1, code: 'a', body: 'old' }, { id: 1, code: 'a', body: 'new' }],
  ['using index notes_code', { code: 'a' }, { code: 'a' }],
] as const)('old rows with replica identity %s', async ([identity, updated, deleted], { db }) => {
  await db.load(`
    create table notes (id int primary key, code text not null, body text);
    create unique index notes_code on notes (code);
    alter table notes replica identity ${identity};
    alter publication supabase_realtime add table notes`)
  const since = await follow(db)
  await db.load(`insert into notes values (1, 'a', 'old'); update notes set body = 'new'; delete from notes`)
  const [, update, deletion] = await since()
  expect(update?.old).toEqual(updated)
  expect(deletion?.old).toEqual(deleted)
})

test('with replica identity nothing, what PostgreSQL can tell apart is told', async ({ db }) => {
  await db.load(`
    create table notes (id int primary key, body text);
    alter table notes replica identity nothing;
    alter publication supabase_realtime add table notes`)
  const since = await follow(db)
  await db.load(`insert into notes values (1, 'a')`)
  expect(told(await since())).toEqual([])
})

test('a large value that an update leaves alone is told from the old row, where that is whole', async ({ db }) => {
  await db.load(`
    create table notes (id int primary key, body text, rank int);
    alter table notes alter column body set storage external;
    alter publication supabase_realtime add table notes`)
  const since = await follow(db)
  await db.load(`insert into notes values (1, repeat('x', 20000), 1); update notes set rank = 2`)
  expect((await since()).map(({ new: row }) => (row as { body: string }).body?.length)).toEqual([20_000, 20_000])
  await db.load(`alter table notes replica identity default; update notes set rank = 3`)
  const [left] = await since()
  expect(left?.new).toEqual({ id: 1, rank: 3 })
})

test('a large transaction arrives whole and in order, with little in memory at a time', async ({ db }) => {
  await db.load(`
    create table notes (id int primary key, body text);
    alter publication supabase_realtime add table notes`)
  const { socket: open } = await openRealtime(db)
  const socket = await open()
  const config = { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'notes' }] }
  socket.send(['1', '1', 'realtime:any', 'phx_join', { config }])
  await socket.until((frame: unknown[]) => frame[3] === 'system')
  await followed(db)
  const before = heldMib()
  let most = 0
  const count = process.env.CLEW_TRIALS === undefined ? 60_000 : 200_000
  await db.load(`insert into notes select n, repeat('x', 300) from generate_series(1, ${count}) n`)
  for (let id = 1; id <= count; id += 1) {
    const frame = (await socket.next()) as readonly [null, null, string, string, { data: { record: { id: number } } }]
    if (frame[4]?.data?.record?.id !== id)
      expect(frame).toMatchObject([null, null, 'realtime:any', 'postgres_changes', { data: { record: { id } } }])
    if (id % 10_000 === 1) most = Math.max(most, heldMib() - before)
  }
  // All of it would be several times as much.
  expect(most).toBeLessThan(count > 100_000 ? 64 : 24)
}, 180_000)

test('a slot that is lost is made again: subscribers are told of the gap, and hear what comes after it', async ({
  db,
}) => {
  await db.load(`
    create table notes (id int primary key);
    alter publication supabase_realtime add table notes`)
  const { client } = await openRealtime(db)
  const channel = client().channel('any')
  const system: Change[] = []
  const heard = await listen(channel, { event: '*', schema: 'public', table: 'notes' })
  channel.on('system', {}, (message) => system.push(message))
  await followed(db)
  await db.load('insert into notes values (1)')
  await expect.poll(() => heard.length).toBe(1)
  system.length = 0
  const lose = {
    text: `do $$ begin
      perform pg_terminate_backend(active_pid, 5000) from pg_replication_slots where database = current_database();
      perform pg_drop_replication_slot(slot_name) from pg_replication_slots where database = current_database();
    end $$`,
    values: [],
  }
  // Its reader connects again at once, and may be there before the slot is dropped.
  const tried = () =>
    db.admin.query(lose).then(
      () => true,
      () => false,
    )
  await expect.poll(tried).toBe(true)
  await expect
    .poll(() => system.map(({ status, message }) => [status, message]), { timeout: 20_000 })
    .toEqual([
      ['error', expect.stringMatching(/^Changes before \d{4}-.* are missing: The replication slot was dropped/)],
      ['ok', 'Subscribed to PostgreSQL'],
    ])
  await db.load('insert into notes values (2)')
  await expect.poll(() => heard.map(({ new: row }) => row)).toContainEqual({ id: 2 })
  expect(await db.changes.gaps()).toMatchObject([{ reason: expect.stringContaining('dropped') }])
})
