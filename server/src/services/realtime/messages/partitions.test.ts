import pg from 'pg'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { followed, joined, openRealtime } from '../../../../test/realtime-app.ts'
import { sqlStateOf } from '../../../engines/postgres/index.ts'
import { createPartitions } from './partitions.ts'

const dayMs = 86_400_000
const rows = async (db: TestDatabase, text: string) =>
  (await db.admin.query<Record<string, unknown>>({ text, values: [] })).rows
const names = async (db: TestDatabase) =>
  (
    await rows(
      db,
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'realtime.messages'::regclass order by 1`,
    )
  ).map(({ name }) => name)
const counts = (db: TestDatabase) =>
  rows(db, 'select tableoid::regclass::text as part, count(*)::int as n from realtime.messages group by 1 order by 1')
const log = { warn: (_: object, message: string) => expect.unreachable(message) }
const partName = (at: Date): string => `messages_${at.toISOString().slice(0, 10).replaceAll('-', '_')}`

test('realtime-8 partitions of messages are made days ahead, and dropped when they are too old', async ({ db }) => {
  let now = new Date('2126-03-01T23:59:00Z')
  const partitions = createPartitions({ sql: db.admin, now: () => now, days: 3, log })
  await db.load(`
    create policy hear on realtime.messages for select to authenticated using (topic = 'mine');
    insert into realtime.messages (topic, extension, event, inserted_at)
    values ('mine', 'broadcast', 'late', '2126-03-01 23:59:59.999'), ('mine', 'broadcast', 'early', '2126-03-02 00:00:00'),
      ('theirs', 'broadcast', 'early', '2126-03-02 00:00:00')`)
  await partitions.keep()
  await partitions.keep()
  const ahead = ['02_28', '03_01', '03_02', '03_03', '03_04'].map((day) => `messages_2126_${day}`)
  expect(await names(db)).toEqual([...ahead, 'messages_default'].sort())
  // What was in the default one is where it belongs.
  expect(await counts(db)).toEqual([
    { part: 'realtime.messages_2126_03_01', n: 1 },
    { part: 'realtime.messages_2126_03_02', n: 2 },
  ])
  await db.load(
    `insert into realtime.messages (topic, extension, event, inserted_at) values ('mine', 'broadcast', 'x', '2126-03-03')`,
  )
  now = new Date('2126-03-05T00:00:01Z')
  await partitions.keep()
  expect(await names(db)).toEqual(
    ['03_02', '03_03', '03_04', '03_05', '03_06', '03_07', '03_08']
      .map((day) => `messages_2126_${day}`)
      .concat('messages_default')
      .sort(),
  )
  expect((await counts(db)).map(({ part }) => part)).toEqual([
    'realtime.messages_2126_03_02',
    'realtime.messages_2126_03_03',
  ])
  // What Clew keeps from harm is not harmed by this, and still kept.
  await db.load('create policy more on realtime.messages for select to anon using (false)')
  await expect(db.load('drop table realtime.messages_default')).rejects.toThrow('which belongs to Clew')
})

test('realtime-7 nobody reads or writes a partition by itself, and policies of the whole hold in each', async ({
  db,
}) => {
  const partitions = createPartitions({ sql: db.admin, now: () => new Date(), days: 3, log })
  await partitions.keep()
  await db.load(`
    create policy hear on realtime.messages for select to authenticated using (topic = 'mine');
    create policy speak on realtime.messages for insert to authenticated with check (topic = 'mine');
    select realtime.send('{}', 'a', 'mine'), realtime.send('{}', 'a', 'theirs')`)
  const part = partName(new Date())
  const asUser = (text: string) =>
    db.session.run({
      ...{ role: 'authenticated', settings: [], statement: { text, values: [] }, readOnly: false },
      ...{ attribute: false, end: 'commit', context: null },
    })
  expect((await asUser('select topic from realtime.messages')).rows).toEqual([{ topic: 'mine' }])
  await asUser(`insert into realtime.messages (topic, extension) values ('mine', 'broadcast')`)
  await expect(
    asUser(`insert into realtime.messages (topic, extension) values ('theirs', 'broadcast')`),
  ).rejects.toThrow('row-level security')
  for (const text of [
    `select from realtime.${part}`,
    `insert into realtime.${part} (topic, extension) values ('mine', 'x')`,
  ])
    await expect(asUser(text)).rejects.toThrow('permission denied')
})

test('realtime-4 what SQL sends before and after midnight reaches its room once, and is replayed', async ({ db }) => {
  const midnight = new Date(Date.now() - (Date.now() % dayMs))
  const partitions = createPartitions({ sql: db.admin, now: () => midnight, days: 3, log })
  await db.load(`create policy hear on realtime.messages for select to authenticated using (true)`)
  const { client } = await openRealtime(db)
  const user = client('11111111-1111-4111-8111-111111111111')
  await user.setAuth()
  const heard: string[] = []
  const channel = user
    .channel('night', { config: { private: true } })
    .on('broadcast', { event: '*' }, ({ event }) => heard.push(event))
  expect(await joined(channel)).toEqual({ status: 'SUBSCRIBED' })
  await followed(db)
  const at = (ms: number): string => `'${new Date(midnight.getTime() + ms).toISOString().slice(0, -1)}'`
  const insert = (event: string, ms: number) =>
    db.load(
      `insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
       values ('night', 'broadcast', '${event}', '{}', true, ${at(ms)})`,
    )
  await insert('in the default one', -1)
  await partitions.keep()
  await insert('before', -1)
  await insert('after', 0)
  await db.load(`
    select realtime.send('{"n": 1}', 'sent', 'night');
    select realtime.send_binary('\\x00ff', 'bytes', 'night');
    create table notes (id int primary key);
    create function tell() returns trigger language plpgsql security definer as $$
    begin
      perform realtime.broadcast_changes('night', 'changed', tg_op, tg_table_name, tg_table_schema, new, old);
      return null;
    end $$;
    create trigger tell after insert on notes for each row execute function tell();
    insert into notes values (1)`)
  const all = ['in the default one', 'before', 'after', 'sent', 'bytes', 'changed']
  await expect.poll(() => heard).toEqual(all)
  const again: string[] = []
  const other = client('22222222-2222-4222-8222-222222222222')
  await other.setAuth()
  const later = other
    .channel('night', {
      config: { private: true, broadcast: { replay: { since: midnight.getTime() - 1000, limit: 25 } } },
    })
    .on('broadcast', { event: '*' }, ({ event, meta }) => {
      if ((meta as { replayed?: boolean } | undefined)?.replayed === true) again.push(event)
    })
  expect(await joined(later)).toEqual({ status: 'SUBSCRIBED' })
  await expect.poll(() => [...again].sort()).toEqual([...all].sort())
  expect(heard).toEqual(all)
})

test('partitions are made beside DDL of the application, which never waits for them in a circle', async ({ db }) => {
  const partitions = createPartitions({ sql: db.admin, now: () => new Date(), days: 3, log })
  const client = new pg.Client(db.login('postgres'))
  await client.connect()
  await client.query('begin; create table notes (id int primary key)')
  // It waits for the publication, and holds none of the tables that an extension’s creation reads.
  const kept = (async () => {
    for (;;) {
      const failure = await partitions.keep().catch((error: unknown) => error)
      if (failure === undefined) return
      expect(sqlStateOf(failure)).toBe('55P03')
    }
  })()
  const waiting = `select from pg_locks where not granted and database = (
    select oid from pg_database where datname = current_database())`
  await expect.poll(() => rows(db, waiting)).toHaveLength(1)
  await client.query(`set local lock_timeout = '100ms'; create extension pgmq; commit`)
  await client.end()
  await kept
  expect(await names(db)).toHaveLength(6)
})
