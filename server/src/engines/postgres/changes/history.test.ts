import { expect } from 'vitest'
import { openOn, type TestDatabase, test } from '../../../../test/harness.ts'

/** Each table of a schema: its replica identity, and whether its changes are published. */
async function followed(db: TestDatabase, schema = 'public'): Promise<Record<string, string>> {
  const { rows } = await db.admin.query<{ name: string; identity: string; published: boolean }>({
    text: `select c.relname as name, c.relreplident as identity, exists (
         select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
         where p.pubname = 'clew' and r.prrelid = c.oid
       ) as published
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p')
     order by 1`,
    values: [schema],
  })
  const words: Record<string, string> = { d: 'key', f: 'whole rows', n: 'nothing', i: 'index' }
  return Object.fromEntries(
    rows.map(({ name, identity, published }) => [name, published ? (words[identity] ?? identity) : 'not followed']),
  )
}

/** PostgreSQL refuses an update of a published table whose rows it cannot name; so none may be in that state. */
async function canWrite(db: TestDatabase, table: string): Promise<void> {
  await db.script(`insert into ${table} (id) values (1); update ${table} set id = 2; delete from ${table}`)
}

/** A table that is not followed is taken for a new one at the next start. */
const cases: [name: string, ddl: string, expected: string, fromNextStart?: string][] = [
  ['with a key', 'create table t (id int primary key)', 'whole rows'],
  ['without a key', 'create table t (id int)', 'whole rows'],
  ['made by a query', 'create table t as select 0 as id', 'whole rows'],
  ['made by select into', 'select 0 as id into t', 'whole rows'],
  [
    'within its schema',
    'create schema authorization postgres create table t (id int); alter table postgres.t set schema public',
    'not followed',
    'whole rows',
  ],
  [
    'with a stored generated column',
    'create table t (id int primary key, twice int generated always as (id * 2) stored)',
    'whole rows',
  ],
  [
    'with a virtual generated column',
    'create table t (id int primary key, twice int generated always as (id * 2) virtual)',
    'key',
  ],
  [
    'with a virtual generated column and no key',
    'create table t (id int, twice int generated always as (id * 2) virtual)',
    'not followed',
  ],
  [
    'with a virtual generated column added later',
    'create table t (id int primary key); alter table t add twice int generated always as (id * 2) virtual',
    'key',
  ],
  [
    'with a column list in another publication',
    'create table t (id int primary key, b int); create publication p for table t (id)',
    'key',
  ],
  [
    'in supabase_realtime, generated column and all',
    'create table t (id int primary key, twice int generated always as (id * 2) stored); alter publication supabase_realtime add table t',
    'whole rows',
  ],
  [
    'whose history was switched off',
    'create table t (id int primary key); alter table t replica identity default',
    'key',
  ],
  [
    'whose identity was taken away',
    'create table t (id int primary key); alter table t replica identity nothing',
    'not followed',
  ],
  [
    'whose key was dropped after its history',
    'create table t (id int primary key); alter table t replica identity default; alter table t drop constraint t_pkey',
    'not followed',
    'whole rows',
  ],
  [
    'with a deferrable key, not whole rows',
    'create table t (id int primary key deferrable); alter table t replica identity default',
    'not followed',
    'whole rows',
  ],
  ['that is unlogged', 'create unlogged table t (id int primary key)', 'not followed'],
  ['in a restore', 'set session_replication_role = replica; create table t (id int primary key)', 'whole rows'],
  ['with a name that needs quotes', 'create table "T ""x""" (id int); create table t (id int)', 'whole rows'],
]

test.for(cases)(
  'a table %s can be written, and is followed as far as it can be',
  async ([, ddl, expected, fromNextStart], { db }) => {
    await db.load(ddl)
    expect((await followed(db)).t).toBe(expected)
    await canWrite(db, 't')
    const again = await openOn(db)
    await again.close()
    expect((await followed(db)).t).toBe(fromNextStart ?? expected)
    await canWrite(db, 't')
  },
)

test('tables that were there before are followed from the next start; other schemas are not', async ({ db }) => {
  await db.admin.query({ text: 'alter event trigger clew_after_ddl disable', values: [] })
  await db.load(`create schema private; create table private.t (id int); create table t (id int);
    create table auth_like (id int); create temp table scratch (id int)`)
  expect(await followed(db)).toEqual({ t: 'not followed', auth_like: 'not followed' })
  await db.admin.query({ text: 'alter event trigger clew_after_ddl enable always', values: [] })
  await (await openOn(db)).close()
  expect(await followed(db)).toEqual({ t: 'whole rows', auth_like: 'whole rows' })
  expect(await followed(db, 'private')).toEqual({ t: 'not followed' })
})

test('a partitioned table is followed as a whole, with partitions made, attached and moved into later', async ({
  db,
}) => {
  await db.load(`create schema hidden;
    create table events (id int, at date) partition by range (at);
    create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01');
    create table hidden.events_old (id int, at date);
    alter table events attach partition hidden.events_old for values from ('2000-01-01') to ('2026-01-01')`)
  expect(await followed(db)).toEqual({ events: 'whole rows', events_2026: 'whole rows' })
  expect(await followed(db, 'hidden')).toEqual({ events_old: 'whole rows' })
  await db.load(`insert into events values (1, '2026-05-05'), (2, '2020-05-05');
    update events set at = '2026-06-06'; delete from events`)
})

test('a partition whose rows cannot be named is written to, and its whole is not published', async ({ db }) => {
  await db.load(`create table events (id int, at date) partition by range (at);
    create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01');
    alter table events_2026 replica identity nothing`)
  expect(await followed(db)).toEqual({ events: 'not followed', events_2026: 'not followed' })
  await db.load(`insert into events values (1, '2026-05-05'); update events set id = 2`)
  await db.load('alter table events_2026 replica identity full')
  expect(await followed(db)).toEqual({ events: 'whole rows', events_2026: 'whole rows' })
})

test('partitioned tables that were there before are followed from the next start', async ({ db }) => {
  await db.admin.query({ text: 'alter event trigger clew_after_ddl disable', values: [] })
  await db.load(`create table events (id int, at date) partition by range (at);
    create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01')`)
  await db.admin.query({ text: 'alter event trigger clew_after_ddl enable always', values: [] })
  await (await openOn(db)).close()
  expect(await followed(db)).toEqual({ events: 'whole rows', events_2026: 'whole rows' })
})

test('tables of auth are followed, those of Clew are not', async ({ db }) => {
  await db.admin.query({ text: 'create table auth.people (id int)', values: [] })
  expect(await followed(db, 'auth')).toMatchObject({ people: 'whole rows' })
  expect(new Set(Object.values(await followed(db, 'clew')))).toEqual(new Set(['not followed']))
})
