import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { ana, asAna, ben, ofAna, openWhy } from '../../../../test/why-world.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import { renderExplanation } from './render.ts'

const ownNotes = 'create policy own on public.notes for select to authenticated using (owner = auth.uid())'

test('each row says which clause decided, with the values that it compared', async ({ db }) => {
  const why = await openWhy(
    db,
    `create policy own on public.notes for select using (not hidden and owner = auth.uid())`,
  )
  const { looks } = await why.ofQuestion({ method: 'GET', path: '/notes', query: '', body: null, profile: null }, asAna)
  const [notes] = looks
  expect(notes).toMatchObject({ existing: 3, matching: 3, visible: 1 })
  expect(notes?.rows.map(({ key }) => key)).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }])
  const [policy] = notes?.gates[0]?.policies ?? []
  expect(policy?.rows.map(({ values }) => values)).toEqual([
    [true, true, false, true],
    [false, true, false, false],
    [false, false, true, null],
  ])
  expect(policy?.rows[1]?.lefts[3]).toBe(ben)
  expect(policy?.rows[1]?.rights[3]).toBe(ana)
})

test('a request that was made is asked for its caller', async ({ db }) => {
  const why = await openWhy(db, ownNotes)
  const { claims, recorded, looks } = await why.ofRequest('kept', null)
  expect(claims).toMatchObject({ sub: ana, role: 'authenticated' })
  expect(recorded).toEqual({ status: 200, errorCode: null, rows: 0 })
  expect(looks[0]?.visible).toBe(1)
})

test('an expired token is named before anything else', async ({ db }) => {
  const why = await openWhy(db, '', { ...ofAna, status: 401, errorCode: 'PGRST303' })
  const { findings } = await why.ofRequest('kept', null)
  expect(findings.map(({ code }) => code)).toEqual(['token_refused'])
})

test('a request of another service is not explained', async ({ db }) => {
  const why = await openWhy(db, '', { ...ofAna, service: 'auth', path: '/auth/v1/user' })
  await expect(why.ofRequest('kept', null)).rejects.toMatchObject({ code: 'CLEW_WHY_NOT_REST' })
})

test('a role that is not there, or that requests may not take, is named', async ({ db }) => {
  const why = await openWhy(db, '', { ...ofAna, role: 'ghost', userId: null })
  expect((await why.ofRequest('kept', null)).findings.map(({ code }) => code)).toEqual(['role_unknown'])
  const owner = await openWhy(db, '', { ...ofAna, role: 'supabase_admin', userId: null }, false)
  expect((await owner.ofRequest('kept', null)).findings.map(({ code }) => code)).toEqual(['role_not_reachable'])
})

test('a question writes nothing, whatever the policies and defaults call', async ({ db }) => {
  const why = await openWhy(
    db,
    `create table public.log (at timestamptz default now());
     grant all on public.log to authenticated;
     create function public.spy() returns boolean language plpgsql as
       $$ begin insert into public.log default values; return true; end $$;
     create policy spied on public.notes for select using (public.spy());
     create table public.posts (id serial primary key, text text);
     alter table public.posts enable row level security;
     grant all on public.posts to authenticated;
     grant all on sequence public.posts_id_seq to authenticated;
     create policy anything on public.posts using (true);`,
  )
  const asked = { query: '', body: null, profile: null }
  const { findings } = await why.ofQuestion({ ...asked, method: 'GET', path: '/notes' }, asAna)
  expect(findings[0]).toMatchObject({ code: 'policy_error', detail: expect.stringContaining('read-only') })
  await why.ofQuestion({ ...asked, method: 'POST', path: '/posts', body: '{"text":"x"}' }, asAna)
  const left = await db.admin.query(
    compile(
      sql`select (select count(*) from public.log)::int as logged, last_value::int, is_called from public.posts_id_seq`,
    ),
  )
  expect(left.rows).toEqual([{ logged: 0, last_value: 1, is_called: false }])
})

test('clauses that are never asked do not fail the question', async ({ db }) => {
  const why = await openWhy(
    db,
    `create policy odd on public.notes for select using (case when status = 'open' then true else status::int > 1 end and id > 1 or owner::text = 'x');
     delete from public.notes where id < 3`,
  )
  const { looks } = await why.ofQuestion({ method: 'GET', path: '/notes', query: '', body: null, profile: null }, asAna)
  expect(looks[0]?.visible).toBe(1)
})

test('of a masked column only whether a clause holds is told, and no value that is nearly the one asked for', async ({
  db,
}) => {
  const script = `
    create table public.secrets (id int primary key, email text, city text);
    alter table public.secrets enable row level security;
    grant select on public.secrets to authenticated;
    insert into public.secrets values (1, 'Hidden@x.test', 'Lisbon');
    create policy own on public.secrets for select to authenticated using (email = auth.jwt() ->> 'email' and city = 'Porto');`
  const columns = [{ schema: 'public', table: 'secrets', column: 'email' }]
  const question = { method: 'GET', path: '/secrets', query: 'email=eq.hidden@x.test', profile: null, body: null }
  const asked = { kind: 'user', user: 'ana@example.test' } as const
  const unmasked = await openWhy(db, script)
  expect(JSON.stringify(renderExplanation(await unmasked.ofQuestion(question, asked)))).toContain('Hidden@x.test')
  const why = await openWhy(db, '', ofAna, false, columns)
  const all = { ...question, query: 'city=eq.Lisbon' }
  const answers = [await why.ofQuestion(question, asked), await why.ofQuestion(all, asked)]
  expect(JSON.stringify(answers.map(renderExplanation))).not.toContain('Hidden')
  const [look] = answers
    .slice(1)
    .map(renderExplanation)
    .flatMap(({ looks }) => looks)
  const clauses = look?.gates[0]?.policies[0]?.rows[0]
  expect(clauses?.map(({ value, left }) => [value, left])).toEqual([
    [false, null],
    [false, '[masked]'],
    [false, 'Lisbon'],
  ])
})
