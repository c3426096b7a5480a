import { expect } from 'vitest'
import { addressOf } from '../../../test/command-line.ts'
import { openTestDatabase, type TestDatabase, test } from '../../../test/harness.ts'
import { connectOwner } from '../../engines/postgres/index.ts'
import { diffSchemas, readSchema, type SchemaSnapshot } from './diff.ts'

const schemaOf = async (db: TestDatabase): Promise<SchemaSnapshot> => {
  const { pool, close } = await connectOwner(addressOf(db), 'clew test')
  return readSchema(pool).finally(close)
}

const cups = 'create table cups (id int primary key, name text);'

/**
 * What both sides have, what the desired one has beyond that, and what the difference says. Each case has a schema of its
 * own, `{}`, but those on tables of `public`, whose default privileges it is about.
 */
const cases: readonly (readonly [kind: string, before: string, after: string, expected: string])[] = [
  ['a schema', '', 'create schema kitchen', 'CREATE SCHEMA "kitchen"'],
  ['a table', '', cups, 'CREATE TABLE "{}"."cups"'],
  ['a column', cups, 'alter table cups add size int not null default 1', 'ADD COLUMN "size" integer'],
  ['a column’s type', cups, 'alter table cups alter name type varchar(20)', 'ALTER COLUMN "name" TYPE'],
  ['a default', cups, `alter table cups alter name set default 'mug'`, `ALTER COLUMN "name" SET DEFAULT 'mug'`],
  ['not null', cups, 'alter table cups alter name set not null', 'SET NOT NULL'],
  ['an identity', '', 'create table t (id bigint generated always as identity)', 'GENERATED ALWAYS AS IDENTITY'],
  ['a serial', '', 'create table t (id serial)', `nextval('{}.t_id_seq'::regclass)`],
  [
    'a generated column',
    cups,
    'alter table cups add twice int generated always as (id * 2) stored',
    'GENERATED ALWAYS',
  ],
  ['a check', cups, 'alter table cups add constraint positive check (id > 0)', 'CHECK ((id > 0))'],
  ['a unique constraint', cups, 'alter table cups add unique (name)', 'UNIQUE (name)'],
  [
    'a foreign key',
    cups,
    'create table plates (cup int references cups on delete cascade)',
    'REFERENCES {}.cups(id) ON DELETE CASCADE',
  ],
  [
    'a foreign key to users',
    cups,
    'alter table cups add owner uuid references auth.users',
    'REFERENCES auth.users(id)',
  ],
  ['an index', cups, 'create index by_name on cups (lower(name)) where id > 1', 'CREATE INDEX by_name'],
  ['a view', cups, 'create view named with (security_invoker) as select name from cups', 'VIEW "{}"."named"'],
  ['a materialized view', cups, 'create materialized view m as select name from cups', 'CREATE MATERIALIZED VIEW'],
  ['a function', '', `create function f(a int default 1) returns int language sql as 'select a'`, 'FUNCTION {}.f'],
  ['a procedure', '', `create procedure p() language plpgsql as 'begin end'`, 'PROCEDURE {}.p'],
  [
    'a trigger',
    `${cups} create function note() returns trigger language plpgsql as 'begin return new; end';`,
    'create trigger noted before update on cups for each row execute function note()',
    'CREATE TRIGGER noted BEFORE UPDATE',
  ],
  [
    'a trigger on users',
    `create function note() returns trigger language plpgsql as 'begin return new; end';`,
    'create trigger noted after insert on auth.users for each row execute function note()',
    'AFTER INSERT ON auth.users',
  ],
  ['a composite type', '', 'create type pair as (a int, b text)', 'CREATE TYPE "{}"."pair" AS'],
  ['an enum', '', `create type size as enum ('small', 'large')`, `AS ENUM ('small', 'large')`],
  [
    'a value of an enum',
    `create type size as enum ('small');`,
    `alter type size add value 'large'`,
    `ADD VALUE 'large'`,
  ],
  ['a domain', '', 'create domain amount as int check (value > 0)', 'CREATE DOMAIN "{}"."amount"'],
  ['a sequence', '', 'create sequence numbers start 5 increment 2', 'CREATE SEQUENCE "{}"."numbers"'],
  ['row level security', cups, 'alter table cups enable row level security', 'ENABLE ROW LEVEL SECURITY'],
  [
    'a policy',
    cups,
    'create policy own on cups for select to authenticated using (id = 1)',
    'CREATE POLICY "own" ON "{}"."cups" FOR SELECT TO "authenticated"',
  ],
  ['a policy on objects', '', 'create policy own on storage.objects using (true)', '"storage"."objects"'],
  [
    'a grant',
    'create table public.g (); revoke all on public.g from anon;',
    'grant select on public.g to anon',
    'GRANT SELECT ON TABLE "public"."g"',
  ],
  ['a revoke', 'create table public.r ();', 'revoke insert on public.r from anon', 'REVOKE ALL ON TABLE "public"."r"'],
  ['a table with fewer grants', '', 'create table public.few (); revoke all on public.few from anon', '"public"."few"'],
  [
    'a table that strangers may only read',
    '',
    'create table public.fewer (); revoke all on public.fewer from anon; grant select on public.fewer to anon',
    'REVOKE ALL ON TABLE "public"."fewer" FROM "anon"',
  ],
  [
    'a function that strangers may not call',
    '',
    `create function public.secret(a int, b text[]) returns int language sql as 'select 1';
     revoke all on function public.secret from public, anon`,
    'FROM "anon"',
  ],
  [
    'default privileges',
    '',
    'alter default privileges in schema {} grant select on tables to anon',
    'ALTER DEFAULT PRIVILEGES',
  ],
  ['a comment', cups, `comment on column cups.name is 'what it is called'`, 'COMMENT ON COLUMN'],
  ['an extension', '', 'create extension citext with schema extensions', 'CREATE EXTENSION "citext"'],
  ['a publication', cups, 'create publication certain for table cups', 'CREATE PUBLICATION "certain"'],
  ['realtime', cups, 'alter publication supabase_realtime add table cups', 'ALTER PUBLICATION "supabase_realtime" ADD'],
  [
    'a partitioned table',
    '',
    'create table p (d date) partition by range (d); create table q partition of p default',
    'PARTITION',
  ],
  [
    'a changed view',
    `${cups} create view v as select id from cups;`,
    'create or replace view v as select id, name from cups',
    'VIEW',
  ],
  [
    'a changed function',
    `create function f() returns int language sql as 'select 1';`,
    `create or replace function f() returns int language sql as 'select 2'`,
    'select 2',
  ],
]

const schemaOfCase = (index: number): string => `case_${index}`

/** A script of a case's, in its own schema. */
const inSchema = (text: string, index: number): string =>
  `set local search_path = ${schemaOfCase(index)}, extensions; ${text.replaceAll('{}', schemaOfCase(index))}`

test('each kind of object is found, and the difference makes it', async ({ db: present }) => {
  const desired = await openTestDatabase(1)
  try {
    for (const [index, [, before, after]] of cases.entries()) {
      for (const side of [desired, present])
        await side.load(`create schema ${schemaOfCase(index)}; ${inSchema(before, index)}`)
      await desired.load(inSchema(after, index))
    }
    const to = await schemaOf(desired)
    const { scripts } = await diffSchemas(await schemaOf(present), to)
    const logged = scripts.join('\n')
    const unsaid = cases.filter(
      ([, , , expected], index) => !logged.includes(expected.replaceAll('{}', schemaOfCase(index))),
    )
    expect(
      unsaid.map(([kind]) => kind),
      logged,
    ).toEqual([])
    for (const script of scripts) await present.load(script)
    const after = await schemaOf(present)
    expect(await diffSchemas(after, to)).toEqual({ scripts: [], destructive: [] })
  } finally {
    await desired.close()
  }
})

test('what is dropped is told, and schemas can be chosen', async ({ db }) => {
  await db.load(`${cups} create schema kitchen; create table kitchen.plates (id int)`)
  const empty = await openTestDatabase(1)
  try {
    const [from, to] = [await schemaOf(db), await schemaOf(empty)]
    expect((await diffSchemas(from, to)).destructive).toEqual([
      'DROP TABLE "kitchen"."plates"',
      'DROP TABLE "public"."cups"',
      'DROP SCHEMA "kitchen"',
    ])
    expect((await diffSchemas(from, to, ['kitchen'])).destructive).toEqual([
      'DROP TABLE "kitchen"."plates"',
      'DROP SCHEMA "kitchen"',
    ])
  } finally {
    await empty.close()
  }
})
