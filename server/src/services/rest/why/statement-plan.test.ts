import { expect } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { test } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { statementPlanRoute } from './routes.ts'
import { createStatementPlan, type KeptStatement } from './statement-plan.ts'

const schema = `
  create table public.notes (id int primary key, owner uuid, body jsonb);
  create index notes_owner on public.notes (owner);
  alter table public.notes enable row level security;
  create policy own on public.notes using (owner = (select auth.uid()));
  grant all on public.notes to authenticated, service_role`

const ofCaller = (text: string, role = 'authenticated'): KeptStatement => ({ text, role, userId: null })

test('a statement is planned as its caller, policies included, and nothing is run', async ({ db }) => {
  await db.load(schema)
  const plan = async (kept: KeptStatement | undefined) =>
    createStatementPlan({ session: db.session, sql: db.admin, findStatement: async () => kept })('r1', 0)
  const read = await plan(ofCaller('select * from public.notes where id = $1 limit $2'))
  expect(read).toMatchObject({ problem: null, role: 'authenticated' })
  expect(JSON.parse(read.plan ?? '')[0].Plan).toMatchObject({ 'Node Type': 'Limit' })
  expect(read.plan).toContain('owner = ')
  const above = await plan(ofCaller('select * from public.notes where id = $1', 'service_role'))
  expect(above.plan).toContain('Node Type')
  expect(above.plan).not.toContain('owner = ')

  const write = await plan(ofCaller('insert into public.notes (id) values ($1) returning id', 'service_role'))
  expect(JSON.parse(write.plan ?? '')[0].Plan).toMatchObject({ 'Node Type': 'ModifyTable' })
  expect((await db.owner.query({ text: 'select from public.notes', values: [] })).rowCount).toBe(0)

  // It has the caller's rights, and changes nothing.
  expect(await plan(ofCaller('select * from auth.users'))).toMatchObject({ plan: null, problem: { code: '42501' } })
  expect(await plan(ofCaller('select 1; drop table public.notes'))).toMatchObject({ problem: { code: '25006' } })
  expect(await plan(ofCaller('select 1', 'postgres'))).toMatchObject({ plan: null, problem: { code: '42501' } })
  await expect(plan(undefined)).rejects.toMatchObject({ code: 'CLEW_WHY_STATEMENT_NOT_FOUND' })
})

test('plans are for those who read the application’s data, and in the audit log', async ({ db }) => {
  await db.load(schema)
  const plan = createStatementPlan({
    ...{ session: db.session, sql: db.admin },
    findStatement: async (_id, place) => (place === 0 ? ofCaller('select 1') : undefined),
  })
  const { actions, log } = recordedActions('developer')
  const ask = await consoleApp(statementPlanRoute(plan, actions))
  expect(await ask('POST', '/requests/r1/statements/0/plan')).toMatchObject({ status: 200, body: { problem: null } })
  expect(await ask('POST', '/requests/r1/statements/7/plan')).toMatchObject({ status: 404 })
  expect(log).toContainEqual({ name: 'why.plan', target: 'request r1' })
  const refused = await consoleApp(statementPlanRoute(plan, recordedActions('analyst').actions))
  expect((await refused('POST', '/requests/r1/statements/0/plan')).status).toBe(403)
})
