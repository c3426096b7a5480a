import { expect, test } from 'vitest'
import { driftNotes, failureNotes, findSharedVersion, pendingMigrations, planMigrations } from './plan-migrations.ts'

const file = (version: string, text = `select ${version}`) => ({
  version,
  name: 'x',
  path: `supabase/migrations/${version}_x.sql`,
  text,
})
const row = (version: string, statements: readonly string[] | null = [`select ${version}`]) => ({
  version,
  name: 'x',
  statements,
})

test.each([
  ['nothing', [], [], []],
  ['a new folder', [file('1'), file('2')], [], ['1 pending', '2 pending']],
  ['all applied', [file('1')], [row('1')], ['1 applied']],
  ['a newer one', [file('1'), file('2')], [row('1')], ['1 applied', '2 pending']],
  ['one older than the newest applied', [file('1'), file('2')], [row('2')], ['1 late', '2 applied']],
  ['one without its file', [file('2')], [row('1')], ['1 missing', '2 pending']],
  ['one whose text changed', [file('1', 'select 2')], [row('1')], ['1 changed']],
  [
    'comments and space change nothing',
    [file('1', '-- one;\nselect 1;\n\n')],
    [row('1', ['select  1'])],
    ['1 applied'],
  ],
  ['space in a string does', [file('1', `select ' '`)], [row('1', [`select '  '`])], ['1 changed']],
  ['a history without statements', [file('1', 'select 2')], [row('1', null)], ['1 applied']],
  [
    'versions are compared as text',
    [file('0002'), file('20240101000000')],
    [row('0002')],
    ['0002 applied', '20240101000000 pending'],
  ],
])('%s', (_, local, applied, expected) => {
  expect(planMigrations(local, applied, new Map()).map(({ version, state }) => `${version} ${state}`)).toEqual(expected)
})

test('drift is a line for what changed and one for what is missing', () => {
  const plan = planMigrations([file('1', 'select 3'), file('2')], [row('1'), row('2'), row('3')], new Map())
  expect(driftNotes(plan)).toEqual([
    'supabase/migrations/1_x.sql: changed since it was applied; what a file says now is not in the database.',
    '3: applied to this database, and not in supabase/migrations.',
  ])
  expect(driftNotes(planMigrations([file('1')], [], new Map()))).toEqual([])
})

test('a migration whose last attempt failed is failed until it is applied', () => {
  const path = 'supabase/migrations/2_x.sql'
  const failure = { path, place: '1:8', statement: 'select x', reason: 'no x', failedAt: new Date(0) }
  const failures = new Map([
    ['1', failure],
    ['2', failure],
  ])
  const plan = planMigrations([file('1'), file('2'), file('3')], [row('1')], failures)
  expect(plan.map(({ state }) => state)).toEqual(['applied', 'failed', 'pending'])
  expect(pendingMigrations(plan, false).map(({ version }) => version)).toEqual(['2', '3'])
  expect(failureNotes(plan)).toEqual([
    'supabase/migrations/2_x.sql:1:8: no x (1970-01-01T00:00:00.000Z). Correct it; the next start, or `clew migration up`, tries it again.',
  ])
})

test('two files of one version are found', () => {
  expect(findSharedVersion([file('1'), file('2')])).toBeNull()
  expect(findSharedVersion([file('1'), file('2'), file('1', 'select 9')])?.map(({ text }) => text)).toEqual([
    'select 1',
    'select 9',
  ])
})
