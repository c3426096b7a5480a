import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { planMark } from './command-mark.ts'

const cause = { id: 'job:7:12:1700000000000', jobName: "it's \\ nightly" }

test.for([
  ['insert into t values (1)', 'always'],
  ['  -- a comment\n /* another */ ;( select 1)', 'always'],
  ['WITH gone AS (delete from t returning 1) select count(*) from gone', 'always'],
  ['select 1; update t set a = 1', 'always'],
  ['do $$ begin perform f(); end $$', 'always'],
  ['do $$ begin update t set a = 1; commit; end $$', 'never'],
  ['call tidy()', 'where procedures are atomic'],
  ['vacuum analyze t', 'never'],
  ['begin isolation level serializable; update t set a = 1; commit', 'never'],
  ['set work_mem = 1; select 1', 'never'],
  ["select pg_create_logical_replication_slot('s', 'pgoutput')", 'never'],
  ['/* one /* within */ select */ vacuum', 'never'],
  ['', 'never'],
] as const)('%j is marked %s', ([command, plan]) => {
  expect(planMark(command)).toBe(plan)
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
