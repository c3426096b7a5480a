import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { advisoryNames, type Finding, readFindings } from './advisories.ts'
import { readFunctionIssues } from './function-errors.ts'

/** What an advisory finds, and beside it what it leaves alone. */
const schema = `
  create table public.open (id int primary key);
  create table public.closed (id int primary key, owner uuid references auth.users, other uuid);
  alter table public.closed enable row level security;
  create index on public.closed (owner);
  create policy slow on public.closed for select using (auth.uid() = owner);
  create policy quick on public.closed for select to authenticated using ((select auth.uid()) = owner);
  create policy inner_of_select on public.closed for delete using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff');
  create policy other on public.closed for select to authenticated using (false);
  create table public.idle (id int primary key);
  create policy nothing on public.idle using (true);
  create table public.empty (id int primary key);
  alter table public.empty enable row level security;
  create view public.owners as select id from public.closed;
  create view public.invoked with (security_invoker = on) as select id from public.closed;
  create view public.people with (security_invoker = on) as select id from auth.users;
  create materialized view public.counted as select count(*) from public.closed;
  create function public.loose() returns int language sql as 'select 1';
  create function public.pinned() returns int language sql set search_path = '' as 'select 1';
  create table public.child (id int primary key, parent int references public.open, grand int references public.open);
  create index on public.child (parent, id);
  create index child_a on public.child (grand, id) where id > 0;
  create index child_b on public.child (grand, id) where id > 0;
  create table public.keyless (id int);
  create schema kitchen;
  create table kitchen.plates (id int primary key);
`

test('each advisory finds what it is about, and nothing beside it', async ({ db }) => {
  await db.load(schema)
  const findings = await readFindings(db.owner, ['public'])
  const objects = (name: string): readonly string[] =>
    findings.filter((each) => each.name === name).map(({ object }) => object)
  expect(
    Object.fromEntries([...new Set(findings.map(({ name }) => name))].map((name) => [name, objects(name)])),
  ).toEqual({
    rls_disabled_in_public: ['child', 'idle', 'keyless', 'open'],
    policy_exists_rls_disabled: ['idle'],
    rls_enabled_no_policy: ['empty'],
    security_definer_view: ['owners'],
    materialized_view_in_api: ['counted'],
    auth_users_exposed: ['people'],
    function_search_path_mutable: ['loose()'],
    unindexed_foreign_keys: ['child (child_grand_fkey)'],
    auth_rls_initplan: ['closed (slow)'],
    multiple_permissive_policies: ['closed for select (other, quick)'],
    duplicate_index: ['child (child_a, child_b)'],
    no_primary_key: ['keyless'],
    policy_never_matches: ['closed (other)'],
  })
})

/** Each advisory once, in a form that its SQL fixes. */
const fixable = `
  create table public.open (id int primary key);
  create table public.idle (id int primary key);
  create policy nothing on public.idle using (true);
  create table public.empty (id int primary key);
  alter table public.empty enable row level security;
  create table public."Odd table" (id int primary key, owner uuid, team text, api_key text, note text);
  alter table public."Odd table" enable row level security;
  create policy "per row" on public."Odd table" for select
    using (auth.uid() = owner or team = current_setting('app.team', true) or team = (select auth.role()));
  create policy "second" on public."Odd table" for select using (note = 'x');
  create policy never on public."Odd table" for insert with check (false);
  create policy nulls on public."Odd table" for delete using (owner = null or note <> null);
  create view public.owners as select id from public."Odd table";
  create view public.people with (security_invoker = on) as select id from auth.users;
  create materialized view public.counted as select count(*) from public.open;
  create function public.loose(a int, "B" text) returns int language sql as 'select 1';
  create procedure public.loose_procedure() language sql as 'select 1';
  create function public.definer() returns int language sql security definer as 'select 1';
  create table public.child (id int primary key, parent int references public.open, "Other" int references public.idle);
  create index child_a on public.child (id, parent);
  create index child_b on public.child (id, parent);
  create unique index child_key on public.child (id);
  create table public.keyless (a int);
  create table public.unkeyed (id int, b int);
  create table public.busy (id int primary key, a int);
  create index busy_a on public.busy (a);
  insert into public.busy select n, n from generate_series(1, 2000) n;
  analyze public.busy;
  do $$ begin for n in 1..120 loop perform count(*) from public.busy; end loop; end $$;
`

test('what is found is gone after the SQL that it comes with', async ({ db }) => {
  await db.load(fixable)
  await db.admin.query({ text: 'create extension if not exists citext with schema public', values: [] })
  await db.admin.query({ text: 'select pg_stat_force_next_flush()', values: [] })
  const read = () => readFindings(db.owner, ['public'])
  const found = await expectFound(read, 'unused_index')
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(advisoryNames))
  const without = found.filter(({ fix }) => fix === null).map(({ name, object }) => `${name} ${object}`)
  expect(without).toEqual([])
  for (const { name, object, fix } of found) {
    // An extension is moved by those who may.
    const by = name === 'extension_in_public' ? db.admin : db.owner
    await by.query({ text: `do $fix$ begin ${fix} end $fix$`, values: [] })
    const left = (await read()).filter((each) => each.name === name && each.object === object)
    expect([name, object, left]).toEqual([name, object, []])
  }
  // Statements that read what may be read go on.
  await db.owner.query({ text: 'select from public.owners', values: [] })
})

async function expectFound(read: () => Promise<readonly Finding[]>, name: string): Promise<readonly Finding[]> {
  await expect.poll(async () => (await read()).some((each) => each.name === name)).toBe(true)
  return read()
}

test('a decision that SQL cannot take has none', async ({ db }) => {
  await db.load(`
    create table public.a (id int primary key);
    alter table public.a enable row level security;
    create policy one on public.a for select using (id = 1);
    create policy all_of_it on public.a using (id = 2)`)
  const found = await readFindings(db.owner, ['public'])
  expect(found.map(({ name, fix }) => [name, fix])).toEqual([['multiple_permissive_policies', null]])
})

test('a body that no longer fits is found, and a sound one is not', async ({ db }) => {
  await db.load(`
    create table public.cups (id int);
    create function public.count_cups() returns bigint language sql as 'select count(*) from public.cups';
    create function public.sound() returns int language plpgsql as 'begin return 1; end';
    set check_function_bodies = off;
    create function public.broken() returns int language plpgsql as 'begin retrun 1; end';
    drop table public.cups`)
  const found = await readFunctionIssues(db.owner, [])
  expect(found).toEqual([
    { function: 'broken()', issues: [expect.objectContaining({ level: 'error', sqlState: '42601' })] },
    {
      function: 'count_cups()',
      issues: [expect.objectContaining({ message: 'relation "public.cups" does not exist', sqlState: '42P01' })],
    },
  ])
  expect(await readFunctionIssues(db.owner, ['kitchen'])).toEqual([])
})
