import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { forOwner } from '../src/engines/postgres/sql/owner-statements.ts'
import { authTables } from '../src/services/auth/index.ts'
import { operatorsTables } from '../src/services/operators/index.ts'
import { startAuth } from './auth-service.ts'
import { openOn, type TestDatabase, test } from './harness.ts'

/** As psql would. */
async function connect(db: TestDatabase, role: string): Promise<pg.Client> {
  const client = new pg.Client(db.login(role))
  // The database goes before the test's own clean-up.
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const refused = { code: '42501' }

test('the owner reads what is the application’s, and nothing of operators, mails or the roles’ secrets', async ({
  db,
}) => {
  await startAuth(db)
  await db.migrate('operators', operatorsTables.postgres)
  await db.load('create schema shop; create table shop.cups (id int); create table public.cups (id int)')
  const own = await connect(db, 'postgres')
  for (const table of ['shop.cups', 'public.cups', 'auth.users', 'auth.sessions'])
    await own.query(`select * from ${table}`)
  const { rows } = await db.admin.query<{ name: string }>({
    text: `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'v') and (n.nspname = 'clew' or n.nspname like 'clew\\_%')`,
    values: [],
  })
  expect(rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['clew_operators.operators', 'clew_operators.operator_sessions', 'clew_mail.mails']),
  )
  const kept = [...rows.map(({ name }) => name), 'pg_catalog.pg_authid', 'pg_catalog.pg_shadow']
  const login = await connect(db, 'authenticator')
  for (const table of kept) {
    await expect(own.query(`select * from ${table}`), table).rejects.toMatchObject(refused)
    for (const role of ['anon', 'authenticated', 'service_role']) {
      await login.query(`set role ${role}`)
      await expect(login.query(`select * from ${table}`), `${role} ${table}`).rejects.toMatchObject(refused)
    }
  }
})

test('migrations put triggers, policies and row level security on auth’s tables, and take them away', async ({
  db,
}) => {
  await db.migrate('auth', authTables.postgres)
  const migration = `
    create table if not exists public.profiles (id uuid primary key references auth.users on delete cascade);
    create or replace function public.handle_new_user() returns trigger language plpgsql security definer as
      $$ begin insert into public.profiles (id) values (new.id); return new; end $$;
    drop trigger if exists on_auth_user_created on auth.users;
    create trigger on_auth_user_created after insert on auth.users
      for each row execute function public.handle_new_user();
    alter table auth.users enable row level security;
    drop policy if exists "own" on auth.users;
    create policy "own" on auth.users for select using (auth.uid() = id);
    alter policy "own" on auth.users to authenticated;
    alter table auth.users disable trigger on_auth_user_created;
    alter table auth.users enable trigger on_auth_user_created;
    create index if not exists users_of_ours on auth.users (created_at);
    comment on table auth.users is 'ours';`
  await db.load(migration)
  await db.load(migration)
  const own = await connect(db, 'postgres')
  await own.query(migration)
  await own.query(
    'drop trigger on_auth_user_created on auth.users; drop policy "own" on auth.users; drop index auth.users_of_ours',
  )
})

const harms = [
  'drop table auth.users cascade',
  'drop schema auth cascade',
  'drop function auth.uid() cascade',
  'drop index auth.users_email_partial_key',
  'drop type auth.aal_level cascade',
  'drop owned by supabase_auth_admin',
  'reassign owned by supabase_auth_admin to postgres',
  'reassign owned by supabase_auth_admin to service_role',
  'drop function clew.blocks_reassign_owned()',
  'alter function clew.blocks_reassign_owned() owner to postgres',
  'alter table auth.users add column more text',
  'alter table auth.users drop column phone',
  'alter table auth.users alter column email set not null',
  `alter table auth.users alter column email set default 'x'`,
  'alter table auth.users rename to people',
  'alter table auth.users set schema public',
  'alter table auth.users owner to postgres',
  'alter table auth.users disable row level security',
  'alter table auth.users force row level security',
  'alter table auth.users add constraint odd check (true)',
  'create rule odd as on insert to auth.users do also select 1',
  `create or replace function auth.uid() returns uuid language sql as 'select null::uuid'`,
  'alter function auth.uid() security definer',
  'alter function auth.uid() rename to who',
  `alter type auth.aal_level add value 'aal9'`,
  `do $$ begin execute 'drop table auth.sessions cascade'; end $$`,
  'set session_replication_role = replica; drop table auth.sessions cascade',
  'set role supabase_auth_admin',
  'alter event trigger clew_guard_ddl disable',
  'drop event trigger clew_guard_drop',
  'drop table clew.guarded_objects',
  'select clew.guard()',
  'alter schema auth rename to gone',
]

test('statements that would break auth are refused to the owner, in every form', async ({ db }) => {
  await db.migrate('auth', authTables.postgres)
  const own = await connect(db, 'postgres')
  for (const harm of harms) {
    const outcome = await own.query(harm).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    )
    expect(outcome, harm).toBe(refused.code)
    await own.query('reset all')
  }
  await expect(db.script('drop table auth.users cascade')).rejects.toMatchObject(refused)
  // The next start may change them all the same.
  const again = await openOn(db)
  onTestFinished(() => again.close())
  await again.admin.query({ text: 'alter table auth.users add column more text', values: [] })
})

test('the owner makes settings of the database', async ({ db }) => {
  const own = await connect(db, 'postgres')
  await own.query(`alter database ${db.database} set statement_timeout = '59s'`)
  await db.load(`alter database ${db.database} set app.greeting = 'hello';
    alter database "${db.database}" set "app.settings.url" to 'http://x'`)
  const next = await connect(db, 'postgres')
  const { rows } = await next.query(
    `select current_setting('statement_timeout') as timeout, current_setting('app.greeting') as greeting,
       current_setting('app.settings.url') as url`,
  )
  expect(rows).toEqual([{ timeout: '59s', greeting: 'hello', url: 'http://x' }])
  await expect(db.load('alter database postgres set app.greeting = 1')).rejects.toMatchObject({ code: '0A000' })
  await expect(db.load(`alter database ${db.database} set auto_explain.x = 1`)).rejects.toMatchObject(refused)
})

test('a setting of the database that takes rights away does not reach Clew’s own connections', async ({ db }) => {
  const own = await connect(db, 'postgres')
  for (const setting of [
    'role = anon',
    'default_transaction_read_only = on',
    'search_path = public',
    'statement_timeout = 1',
  ])
    await own.query(`alter database ${db.database} set ${setting}`)
  const again = await openOn(db)
  onTestFinished(() => again.close())
  await again.admin.query({ text: 'create table clew.written as select pg_sleep(0.01) is null as slept', values: [] })
  const { rows } = await again.auth.query({ text: 'select current_user as who', values: [] })
  expect(rows).toEqual([{ who: 'supabase_auth_admin' }])
})

const eventTrigger = `
  create table public.noticed (at int generated always as identity, tag text, event text, who text);
  create function public.notice() returns event_trigger language plpgsql as $$
  declare
    command record;
  begin
    for command in select * from pg_event_trigger_ddl_commands() loop
      insert into public.noticed (tag, event, who) values (tg_tag || ' ' || command.object_identity, tg_event, current_user);
    end loop;
  end $$;
  create event trigger noticing on ddl_command_end
    when tag in ('CREATE TABLE', 'CREATE EXTENSION', 'CREATE FUNCTION')
    execute function notice();`

async function noticed(db: TestDatabase): Promise<unknown[]> {
  const { rows } = await db.owner.query<{ row: string }>({
    text: `select tag || ' ' || event || ' ' || who as row from public.noticed order by at`,
    values: [],
  })
  return rows.map(({ row }) => row)
}

test('an event trigger of the owner’s runs as the role that changes the schema, and follows its function', async ({
  db,
}) => {
  await db.load(eventTrigger)
  await db.load('create table public.cups (id int)')
  expect(await noticed(db)).toEqual(['CREATE TABLE public.cups ddl_command_end postgres'])
  await db.load(`create or replace function public.notice() returns event_trigger language plpgsql set search_path = '' as $$
    begin insert into public.noticed (tag, event, who) values (tg_tag, 'changed', current_setting('search_path')); end $$`)
  await db.load('truncate public.noticed; create table public.jars (id int)')
  expect(await noticed(db)).toEqual(['CREATE TABLE changed ""'])
  await db.load('alter event trigger noticing disable; create table public.lids (id int)')
  await db.load('alter event trigger noticing enable')
  expect(await noticed(db)).toHaveLength(1)
  await db.load(
    'drop event trigger if exists noticing; drop event trigger if exists noticing; create table public.pots (id int)',
  )
  expect(await noticed(db)).toHaveLength(1)
  await expect(db.load('drop event trigger noticing')).rejects.toMatchObject({ code: '42704' })
})

test('an event trigger of the owner’s never runs as a superuser: not in extensions, nor in what Clew does', async ({
  db,
}) => {
  await db.load(`
    create sequence public.superuser_ran;
    create function public.rise() returns event_trigger language plpgsql as $$
    begin
      if (select rolsuper from pg_roles where rolname = current_user) then
        perform nextval('public.superuser_ran');
        alter role postgres superuser;
      end if;
    end $$;
    create event trigger rise_at_start on ddl_command_start execute function public.rise();
    create event trigger rise_at_end on ddl_command_end execute function public.rise();
    create event trigger rise_at_drop on sql_drop execute function public.rise();
    create event trigger rise_at_rewrite on table_rewrite execute procedure public.rise();`)
  // Its script runs as a superuser.
  await db.load('create extension citext schema extensions; drop extension citext')
  // Clew's own event triggers change a table that is made here.
  await db.load('create table public.followed (id int primary key); drop table public.followed')
  await db.migrate('auth', authTables.postgres)
  await db.admin.query({ text: 'create table clew.made (); drop table clew.made', values: [] })
  const { rows } = await db.owner.query({
    text: 'select is_called, rolsuper from public.superuser_ran, pg_roles where rolname = current_user',
    values: [],
  })
  expect(rows).toEqual([{ is_called: false, rolsuper: false }])
})

test('what is not the owner’s to have as an event trigger is refused', async ({ db }) => {
  await db.load(eventTrigger)
  for (const [script, code] of [
    ['create event trigger clew_mine on ddl_command_end execute function public.notice()', '42939'],
    ['create event trigger mine on login execute function public.notice()', '0A000'],
    ['create event trigger mine on ddl_command_end execute function clew.after_ddl()', '42501'],
    ['create event trigger mine on ddl_command_end execute function pg_catalog.now()', '42P17'],
    ['drop event trigger clew_after_ddl', '42501'],
    ['alter event trigger clew_after_ddl disable', '42501'],
    [
      `create event trigger mine on ddl_command_end when tag in ('x') or true execute function public.notice()`,
      '42601',
    ],
  ] as const)
    await expect(db.load(script), script).rejects.toMatchObject({ code })
  const login = await connect(db, 'authenticator')
  await login.query('set role service_role')
  const call = `select clew_owner.create_event_trigger('x', 'ddl_command_end', null, 'public.notice()'::regprocedure)`
  await expect(login.query(call)).rejects.toMatchObject(refused)
})

test('the owner makes publications of all tables, and drops them and others', async ({ db }) => {
  await db.load(`
    create publication everything for all tables with (publish = 'insert, update', publish_via_partition_root);
    create publication few`)
  const { rows } = await db.owner.query({
    text: `select pubname as name, puballtables as whole, pubinsert as i, pubdelete as d, pubviaroot as r from pg_publication
      where pubname in ('everything', 'few') order by pubname`,
    values: [],
  })
  expect(rows).toEqual([
    { name: 'everything', whole: true, i: true, d: false, r: true },
    { name: 'few', whole: false, i: true, d: true, r: false },
  ])
  await db.load('drop publication everything; drop publication if exists few; drop publication if exists few')
  await expect(db.load('drop publication everything')).rejects.toMatchObject({ code: '42704' })
  await expect(db.load('drop publication clew')).rejects.toMatchObject(refused)
})

test.for([
  [
    'CREATE EVENT TRIGGER "a b" ON ddl_command_end EXECUTE PROCEDURE app.f();',
    `select clew_owner.create_event_trigger('a b', 'ddl_command_end', null, '"app"."f"()'::regprocedure);`,
  ],
  ['-- note\ncreate /* a */ publication p for all tables', `select clew_owner.create_publication('p', null, null);`],
  [`select 'create event trigger x on y execute function z()'`, null],
  ['create publication p for table a', null],
  ['create event trigger x on ddl_command_end execute function f(1)', null],
  [`do $$ begin create event trigger x on ddl_command_end execute function f(); end $$`, null],
  ['comment on publication p is null', null],
  ['drop publication a, b', null],
  [`create event trigger x on ddl_command_end when tag in (E'x\\'') execute function f()`, null],
] as const)('a script is rewritten only where it says just that: %s', ([script, wanted]) => {
  expect(forOwner(script)).toBe(wanted ?? script)
})
