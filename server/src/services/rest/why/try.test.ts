import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { openRestApp } from '../../../../test/rest-app.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import { createWhy } from './why.ts'

const anon = { kind: 'anon' } as const
const read = { method: 'GET', path: '/invoices', query: 'select=id,email', profile: null, body: null }
const policy = 'create policy all_read on public.invoices for select to anon using (true)'

async function open(db: TestDatabase, maskedColumns: readonly string[] = []) {
  await db.load(`
    create table public.invoices (id bigint primary key, email text, lines int default 1);
    alter table public.invoices enable row level security;
    grant all on public.invoices to anon;
    insert into public.invoices values (9007199254740993, 'ann@x.test'), (2, 'bo@x.test');`)
  const { rest, close } = await openRestApp(db)
  onTestFinished(close)
  const columns = maskedColumns.map((column) => ({ schema: 'public', table: 'invoices', column }))
  return createWhy({
    ...{ rest, session: db.session, catalogues: db.authenticator, reader: db.reader, sql: db.admin, owner: db.owner },
    findRequest: async () => {
      throw new Error('There is no request.')
    },
    loginRole: 'authenticator',
    sampleRows: 20,
    masks: { current: async () => ({ columns, properties: [] }) },
  })
}

const policies = async (db: TestDatabase) =>
  (await db.admin.query(compile(sql`select polname from pg_policy where polrelid = 'public.invoices'::regclass`))).rows

test('the caller sees the rows that they would see, and nothing of it stays', async ({ db }) => {
  const why = await open(db)
  expect(await why.tryOnQuestion(read, anon, 'select 1')).toEqual({ rows: 0, body: '[]', isCut: false, problem: null })
  const tried = await why.tryOnQuestion({ ...read, query: `${read.query}&order=id.desc` }, anon, `${policy}; select 1;`)
  expect(tried).toMatchObject({ rows: 2, problem: null })
  expect(tried.body).toContain('"id":9007199254740993')
  expect(await policies(db)).toEqual([])
})

test('SQL that ends the transaction is refused, and so keeps nothing', async ({ db }) => {
  const why = await open(db)
  for (const ending of ['commit', 'rollback; begin', 'end'])
    expect((await why.tryOnQuestion(read, anon, `${policy}; ${ending}`)).problem).toMatchObject({ of: 'sql' })
  expect(await policies(db)).toEqual([])
})

test('what PostgreSQL refuses is told with what it was: the SQL, or the request after it', async ({ db }) => {
  const why = await open(db)
  expect((await why.tryOnQuestion(read, anon, 'create policy on')).problem).toMatchObject({ code: '42601', of: 'sql' })
  const revoked = await why.tryOnQuestion(read, anon, 'revoke select on public.invoices from anon')
  expect(revoked.problem).toMatchObject({ code: '42501', of: 'request' })
})

test('a write is tried as well, and rolled back', async ({ db }) => {
  const why = await open(db)
  const write = { ...read, method: 'POST', query: 'select=id', body: '{"id":3,"email":"cy@x.test"}' }
  expect((await why.tryOnQuestion(write, anon, 'select 1')).problem).toMatchObject({ code: '42501', of: 'request' })
  const opened = `${policy}; create policy all_write on public.invoices for insert to anon with check (true)`
  expect(await why.tryOnQuestion(write, anon, opened)).toMatchObject({ problem: null })
  expect((await db.admin.query(compile(sql`select id from public.invoices where id = 3`))).rows).toEqual([])
})

test('masked columns are masked in the rows', async ({ db }) => {
  const why = await open(db, ['email'])
  const tried = await why.tryOnQuestion({ ...read, query: 'select=email&id=eq.2' }, anon, policy)
  expect(tried.body).toBe('[{"email":"[masked]"}]')
})
