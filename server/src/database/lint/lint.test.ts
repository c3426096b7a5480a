import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { readFindings } from './advisories.ts'
import { readFunctionIssues } from './function-errors.ts'

/** What an advisory finds, and beside it what it leaves alone. */
const schema = `
  create table public.open (id int primary key);
  create table public.closed (id int primary key, owner uuid references auth.users, other uuid);
  alter table public.closed enable row level security;
  create index on public.closed (owner);
  create policy slow on public.closed for select using (auth.uid() = owner);
  create policy quick on public.closed for select to authenticated using ((select auth.uid()) = owner);
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
  })
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
