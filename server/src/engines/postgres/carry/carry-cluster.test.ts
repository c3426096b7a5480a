import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { earlierBinaries, makeEarlierCluster } from '../../../../test/earlier-postgres.ts'
import { splitStatements } from '../../../ground/sql/split.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import { type CarriedServer, startCarried, withConnection } from './carried-server.ts'
import { type CarriedCluster, type CarryClusterOptions, carryCluster } from './carry-cluster.ts'

const log = (line: string): void => console.warn(line)
const oddName = 'a "b" \\ c\'d'

let folder: string
let carried: CarriedCluster
let server: CarriedServer
/** Slots of the old server whose changes were settled. */
let settled: readonly object[]

const earlier = (name: string): Promise<CarriedServer> =>
  startCarried({ dataDir: join(folder, name), socketDir: join(folder, 's'), binaries: earlierBinaries() }, log)

const carry = (name: string, settle: CarryClusterOptions['settle'] = async () => undefined) =>
  carryCluster({
    ...{ dataDir: join(folder, name), binaries: earlierBinaries(), to: join(folder, `${name}.carried`) },
    ...{ socketDir: join(folder, 'c'), progress: () => undefined, log },
    settle,
  })

/** Statement by statement: a slot is made in a transaction of its own. */
async function run({ query }: BulkConnection, script: string): Promise<readonly object[]> {
  let rows: readonly object[] = []
  for (const text of splitStatements(script)) rows = (await query<object>({ text, values: [] })).rows
  return rows
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-carry-'))
  // PostgreSQL's user passes to the sockets.
  await chmod(folder, 0o711)
  await makeEarlierCluster(join(folder, 'old'))
  const old = await earlier('old')
  await withConnection(old.open('postgres'), (own) => run(own, asSuperuser))
  await withConnection(old.openAs('postgres', 'postgres'), (own) => run(own, asOwner))
  await withConnection(old.open('postgres'), (own) => run(own, afterwards))
  await withConnection(old.open('postgres'), (own) => run(own, `create database "${oddName.replaceAll('"', '""')}"`))
  await withConnection(old.open(oddName), (own) =>
    run(own, 'create table public.t (); insert into public.t default values'),
  )
  await old.stop()
  await writeFile(
    join(folder, 'old', 'postgresql.conf'),
    (await readFile(join(folder, 'old', 'postgresql.conf'), 'utf8')).replace(
      'random_page_cost = 1.1',
      'random_page_cost = 1.3',
    ),
  )
  carried = await carry('old', async ({ query }) => {
    settled = (await query({ text: `select slot_name as slot from pg_replication_slots order by 1`, values: [] }))
      .rows as object[]
  })
  server = await startCarried(
    { dataDir: join(folder, 'old.carried'), socketDir: join(folder, 'n'), binaries: null },
    log,
  )
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

const asSuperuser = `
  create role postgres login createrole password 'secret';
  create role anon nologin;
  create role keeper nologin connection limit 0 valid until '2031-01-01';
  comment on role keeper is 'keeps';
  grant anon to postgres with admin option;
  grant keeper to postgres with inherit false;
  grant set on parameter log_min_duration_statement to postgres;
  alter role postgres set search_path = "$user", public, "odd, name";
  alter role postgres in database postgres set work_mem = '7MB';
  alter role keeper set transaction_timeout = '1ms';
  alter database postgres owner to postgres;
  revoke connect on database postgres from public;
  grant create on schema public to postgres;
  create extension pgcrypto schema public;
  create extension hstore schema public;
  create schema closed;
  create table closed.kept (id int primary key, text text);
  insert into closed.kept values (1, E'\\ttab');
  alter table closed.kept owner to keeper;
  revoke all on closed.kept from keeper;
  create table closed.attached (id int);
  insert into closed.attached values (7);
  alter extension hstore add table closed.attached;
  select pg_catalog.pg_create_logical_replication_slot('of_another', 'pgoutput');
  create schema clew;
  create table clew.change_slots (name text primary key, system_id text, timeline int, generation int not null default 0);
  insert into clew.change_slots values ('clew_5', 'of the old one', 1, 3);
  select pg_catalog.pg_create_logical_replication_slot('clew_5', 'pgoutput');`

const asOwner = `
  create function public.is_owner() returns boolean language plpgsql immutable as $$
  begin
    if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
      raise exception 'a superuser runs code of the application';
    end if;
    return true;
  end $$;
  create function public.take_back() returns boolean language plpgsql immutable as $$
  begin
    perform set_config('role', 'none', false);
    return public.is_owner();
  end $$;
  create domain public.short as text check (length(value) < 9 and public.is_owner());
  create type public.state as enum ('new', 'paid');
  alter type public.state add value 'lost' before 'paid';
  create table public.notes (
    id bigint primary key generated always as identity (start 5),
    title public.short not null,
    gone int,
    state public.state not null default 'new',
    words int generated always as (length(title::text)) stored,
    owner_runs boolean generated always as (public.is_owner()) stored,
    written timestamptz not null default '2026-01-31 12:00+00',
    kind regprocedure default 'public.is_owner()'::regprocedure,
    check (public.is_owner() and public.take_back())
  );
  create function public.is_named(note public.notes) returns boolean language sql as
    'select public.is_owner() and note.title is not null';
  alter table public.notes add constraint named check (public.is_named(notes));
  comment on column public.notes.title is E'two\\nlines';
  alter table public.notes drop column gone;
  insert into public.notes (title) values ('one'), ('two'), (E'th\\\\ree'), ('Дама');
  update public.notes set state = 'lost' where title = 'one';
  delete from public.notes where title = 'two';
  alter table public.notes add column added int not null default 42;
  create index on public.notes using gin (to_tsvector('simple', title));
  create statistics public.both on state, words from public.notes;
  alter table public.notes enable row level security;
  create policy paid on public.notes for select to anon using (state = 'paid');
  grant select (title), insert on public.notes to anon;
  create view public.titles with (security_invoker) as select title from public.notes;
  create materialized view public.later as select 1 as one with no data;
  create materialized view public.counted as select count(*) as notes from public.notes;
  create materialized view public.twice as select notes * 2 as notes from public.counted;
  create table public.parts (id int, at date) partition by range (at);
  create table public.parts_2026 partition of public.parts for values from ('2026-01-01') to ('2027-01-01');
  insert into public.parts values (1, '2026-05-05');
  create unlogged table public.fast (id int);
  insert into public.fast values (1);
  create table public.child (more text) inherits (public.fast);
  insert into public.child values (2, 'of the child');
  create table public.refers (note bigint references public.notes on delete cascade deferrable);
  insert into public.refers values (5);
  alter table public.refers enable row level security;
  alter table public.refers force row level security;
  create policy none on public.refers using (false);
  create function public.touch() returns trigger language plpgsql as
    'begin new.written = now(); return new; end';
  create trigger touch before insert on public.notes for each row execute function public.touch();
  alter table public.notes disable trigger touch;
  create sequence public.numbers start 10 increment 5;
  select nextval('public.numbers'), nextval('public.numbers');
  alter default privileges in schema public grant select on tables to anon;
  select lo_from_bytea(4711, 'a large object'), lo_from_bytea(4712, decode(repeat('00ff', 5000), 'hex'));
  grant select on large object 4711 to anon;
  comment on large object 4712 is 'of bytes';
  create publication pages for table public.notes where (id > 3);`

const afterwards = `
  create function public.refuse() returns event_trigger language plpgsql as
    $$ begin raise exception 'no definition is changed here'; end $$;
  create event trigger refuses on ddl_command_start execute function public.refuse();`

/** Rows of the new cluster. */
const read = (text: string, database = 'postgres'): Promise<readonly object[]> =>
  withConnection(server.open(database), (own) => run(own, text))

test('rows arrive as they were, computed columns with them, and numbers go on', async () => {
  expect(await read('select id, title, state, words, owner_runs, kind, added from public.notes order by ctid')).toEqual(
    [
      ...[
        { id: '7', title: 'th\\ree', words: 6, state: 'new' },
        { id: '8', title: 'Дама', words: 4, state: 'new' },
        { id: '5', title: 'one', words: 3, state: 'lost' },
      ].map((row) => ({ ...row, owner_runs: true, kind: 'public.is_owner()', added: 42 })),
    ],
  )
  expect(await read(`select nextval('public.numbers') as next, nextval('public.notes_id_seq') as id`)).toEqual([
    { next: '20', id: '9' },
  ])
  expect(
    await read(
      'select id from public.parts union all select id from only public.fast union all select id from public.child',
    ),
  ).toEqual([1, 1, 2].map((id) => ({ id })))
  expect(await read('select text from closed.kept')).toEqual([{ text: '\ttab' }])
  expect(await read('select note from public.refers')).toEqual([{ note: '5' }])
  expect(await read('select id from closed.attached')).toEqual([{ id: 7 }])
  expect(await read('select count(*)::int as n from public.t', oddName)).toEqual([{ n: 1 }])
})

test('a cluster’s version, roles, their passwords, grants and settings are carried', async () => {
  expect(await read(`select current_setting('server_version_num')::int / 10000 as major`)).toEqual([{ major: 18 }])
  const roles = `
    select rolname as name, rolcanlogin as login, rolconnlimit as most, rolpassword ~ '^SCRAM' as secret, rolvaliduntil is null as always
    from pg_authid where oid >= 16384 order by 1`
  expect(await read(roles)).toEqual([
    { name: 'anon', login: false, most: -1, secret: null, always: true },
    { name: 'keeper', login: false, most: 0, secret: null, always: false },
    { name: 'postgres', login: true, most: -1, secret: true, always: true },
  ])
  expect(await read(`select setconfig[1] as said from pg_db_role_setting order by 1`)).toEqual([
    { said: 'search_path="$user", public, "odd, name"' },
    { said: 'transaction_timeout=1ms' },
    { said: 'work_mem=7MB' },
  ])
  expect(await read(`select has_parameter_privilege('postgres', 'log_min_duration_statement', 'set') as may`)).toEqual([
    { may: true },
  ])
  // What owners were given to store their rows is taken back.
  expect(
    await read(`select has_table_privilege('keeper', 'closed.kept', 'insert') or has_schema_privilege('keeper', 'closed', 'usage')
      or has_database_privilege('keeper', 'postgres', 'connect') as may`),
  ).toEqual([{ may: false }])
  expect(await read('show random_page_cost')).toEqual([{ random_page_cost: '1.3' }])
})

test('members of extensions, large objects and materialized views are there; definitions work', async () => {
  expect(
    await read(
      `select 'closed.attached'::regclass::oid in (select objid from pg_depend where deptype = 'e') as member`,
    ),
  ).toEqual([{ member: true }])
  expect(await read(`select convert_from(lo_get(4711), 'utf8') as text, length(lo_get(4712)) as bytes`)).toEqual([
    { text: 'a large object', bytes: 10_000 },
  ])
  expect(
    await read(`select c.notes, t.notes as twice, (select relispopulated from pg_class where relname = 'later') as later
    from public.counted c, public.twice t`),
  ).toEqual([{ notes: '3', twice: '6', later: false }])
  expect(await read(`select tgenabled from pg_trigger where tgname = 'touch'`)).toEqual([{ tgenabled: 'D' }])
  expect(
    await read(`select count(*)::int as n from pg_stats where schemaname = 'public' and tablename = 'notes'`),
  ).not.toEqual([{ n: 0 }])
  await withConnection(server.openAs('postgres', 'postgres'), async (owner) => {
    await expect(run(owner, 'create table public.more ()')).rejects.toThrow('no definition is changed here')
    await expect(run(owner, `insert into public.notes (title) values ('much too long')`)).rejects.toThrow('short_check')
    await expect(run(owner, 'insert into public.refers values (5)')).rejects.toThrow('row-level security')
  })
})

test('rows are frozen by the new cluster’s own transactions', async () => {
  await withConnection(server.open('postgres'), (own) => run(own, 'vacuum (freeze) public.notes'))
  expect(
    await read(
      `select age(relfrozenxid) >= 0 and age(relfrozenxid) < 100 as fresh from pg_class where relname = 'notes'`,
    ),
  ).toEqual([{ fresh: true }])
})

test('row changes are settled before, and those that follow are of a further generation', async () => {
  expect(settled).toEqual([{ slot: 'clew_5' }, { slot: 'of_another' }])
  expect(await read('select slot_name as slot, plugin from pg_replication_slots')).toEqual([
    { slot: 'clew_5', plugin: 'pgoutput' },
  ])
  const made = `
    select s.generation, s.system_id = c.system_identifier::text as own
    from clew.change_slots s, pg_control_system() c`
  expect(await read(made)).toEqual([{ generation: 4, own: true }])
  expect(carried).toEqual({ tables: expect.any(Number), leftSlots: ['of_another'] })
})

test('what a new cluster cannot take is refused, and the old one stays as it was', async () => {
  await makeEarlierCluster(join(folder, 'closed'))
  const old = await earlier('closed')
  await withConnection(old.open('postgres'), (own) => run(own, 'create database shut allow_connections false'))
  await old.stop()
  await expect(carry('closed')).rejects.toMatchObject({
    code: 'POSTGRES_CARRY_FAILED',
    details: 'The database shut allows no connections.',
  })
  const again = await earlier('closed')
  onTestFinished(() => again.stop())
  await withConnection(again.open('postgres'), async (own) =>
    expect(await run(own, `select datname from pg_database where datname = 'shut'`)).toHaveLength(1),
  )
})
