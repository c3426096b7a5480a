import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { planMark } from './command-mark.ts'

const cause = { id: 'job:7:12:1700000000000', jobName: "it's \\ nightly" }

test.for([
  ['insert into t values (1)', [0]],
  ['  -- a comment\n /* another /* within */ */ ;( select 1)', [0]],
  ['WITH gone AS (delete from t returning 1) select count(*) from gone', [0]],
  ['select 1; update t set a = 1', [0]],
  ['do $$ begin perform f(); end $$', [0]],
  ['copy t to stdout', [0]],
  ['refresh materialized view v', [0]],
  ['create table u as table t', [0]],
  ['call tidy()', [0]],
  ['begin isolation level serializable; update t set a = 1; commit', [1]],
  ['begin; update t set a = 1; commit; begin; set transaction read write; lock table t; delete from t; end', [1, 6]],
  ['update t set a = 1; rollback to savepoint s; delete from t; rollback; delete from t', [0, 4]],
  ['start transaction; savepoint s; delete from t; commit and chain; delete from t; commit', [1, 4]],
  ['set work_mem = 1; select 1', [1]],
  ['reset all; copy t to stdout; select 1', [1]],
  ['do $$ begin update t set a = 1; commit; end $$', null],
  ['vacuum analyze t', null],
  ['create index concurrently on t (a)', null],
  ['begin', null],
  ['set work_mem = 1; reset work_mem', null],
  ["select pg_create_logical_replication_slot('s', 'pgoutput')", null],
  ['/* one /* within */ select */ vacuum', null],
  ['', null],
] as const)('%j is marked before its statements %j', ([command, before]) => {
  expect(planMark(command)?.before ?? null).toEqual(before)
})

test('every transaction of a command knows its cause', async ({ db }) => {
  await db.load(`create table public.t (step text, cause text default current_setting('clew.cause', true))`)
  const connection = await db.commands?.open('postgres', db.database)
  const outcome = await connection?.run(
    `set work_mem = '1MB'; insert into t values ('set'); -- the first
     commit;
     begin isolation level serializable; set transaction read write; insert into t values ('begin'); commit;
     insert into t values ('after') -- the last`,
    cause,
  )
  const single = await connection?.run(`copy t to stdout`, cause)
  await connection?.end()
  expect([outcome, single]).toEqual([
    { succeeded: true, message: 'INSERT 0 1' },
    { succeeded: false, message: 'COPY not supported' },
  ])
  const { rows } = await db.admin.query({ text: 'select step, cause from public.t', values: [] })
  expect(rows).toEqual(['set', 'begin', 'after'].map((step) => ({ step, cause: cause.id })))
})

test('what is asked for by a command that ends its own transactions knows its cause', async ({ db }) => {
  await db.load(`
    create extension if not exists pg_net;
    create table public.t (n int);
    create procedure tidy() language plpgsql as $$ begin
      insert into t values (1); commit; perform net.http_get('http://localhost:1/call'); commit;
    end $$`)
  const commands = [
    'call tidy()',
    `do $$ begin insert into t values (2); commit; perform net.http_get('http://localhost:1/do'); end $$`,
    'vacuum t',
    'create index concurrently on t (n)',
  ]
  for (const command of commands) {
    const connection = await db.commands?.open('postgres', db.database)
    expect(await connection?.run(command, cause)).toMatchObject({ succeeded: true })
    await connection?.end()
  }
  const { rows } = await db.admin.query({
    text: 'select url, cause_id as cause from net.http_request_queue order by id',
    values: [],
  })
  expect(rows).toEqual(['call', 'do'].map((path) => ({ url: `http://localhost:1/${path}`, cause: cause.id })))
})

test('a command of a megabyte is taken for one statement', () => {
  const long = `insert into t values ('${"a;'' ".repeat(250_000)}')`
  expect(planMark(long)?.statements).toEqual([long])
})

test('a marked command has its own outcome, whatever the job is called', async ({ db }) => {
  const connection = await db.commands?.open('postgres', db.database)
  await db.load('create table public.t (a int)')
  const outcomes = []
  for (const text of [
    'insert into t values (1), (2)',
    'select a from t',
    'select 1 / 0',
    'selec 1',
    'select; -- nothing',
  ])
    outcomes.push(await connection?.run(text, cause))
  await connection?.end()
  expect(outcomes.map((outcome) => [outcome?.succeeded, outcome?.message.trim()])).toEqual([
    [true, 'INSERT 0 2'],
    [true, '2 rows'],
    [false, 'ERROR:  division by zero'],
    [false, 'ERROR:  syntax error at or near "selec"'],
    [true, '1 row'],
  ])
})

test('a procedure may end its transaction, and is not marked then', async ({ db }) => {
  await db.load(`
    create table public.t (a int);
    create procedure public.in_parts() language plpgsql as $$
    begin
      insert into t values (1);
      commit;
      insert into t values (2);
    end
    $$`)
  const connection = await db.commands?.open('postgres', db.database)
  expect(await connection?.run('call in_parts()', cause)).toMatchObject({ succeeded: true })
  await connection?.end()
})
