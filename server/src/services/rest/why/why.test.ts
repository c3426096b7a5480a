import { describe, expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { openRestApp } from '../../../../test/rest-app.ts'
import type { MaskList } from '../../../ground/privacy/masks.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { AskedAs } from './caller.ts'
import type { FindingCode } from './finding.ts'
import { renderExplanation } from './render.ts'
import { createWhy, type KeptRequest } from './why.ts'

const ana = 'a0000000-0000-4000-8000-000000000001'
const ben = 'b0000000-0000-4000-8000-000000000002'
const asAna: AskedAs = { kind: 'user', user: ana }
const anon: AskedAs = { kind: 'anon' }

const world = `
  create table public.notes (
    id int primary key,
    owner uuid references auth.users,
    team text,
    status text,
    hidden boolean not null default false
  );
  create index notes_owner on public.notes (owner);
  alter table public.notes enable row level security;
  grant all on public.notes to anon, authenticated, service_role;
  insert into public.notes values
    (1, '${ana}', 'red', 'Shipped', false), (2, '${ben}', 'blue', 'Shipped', false), (3, null, null, 'open', true);`

const ofAna: KeptRequest = {
  ...{ service: 'rest', method: 'GET', path: '/rest/v1/notes', query: 'select=*' },
  ...{ role: 'authenticated', userId: ana, status: 200, errorCode: null, rows: 0 },
}

async function open(
  db: TestDatabase,
  script: string,
  kept: KeptRequest = ofAna,
  isNew = true,
  columns: MaskList['columns'] = [],
) {
  const users = [
    [ana, 'ana@example.test', 'red'],
    [ben, 'ben@example.test', 'blue'],
  ]
  for (const [id, email, team] of isNew ? users : [])
    await db.admin.query(
      compile(sql`
        insert into auth.users (id, email, role, aud, raw_app_meta_data, raw_user_meta_data, is_anonymous, is_sso_user)
        values (${id}, ${email}, 'authenticated', 'authenticated', ${JSON.stringify({ team })}, '{}', false, false)`),
    )
  if (isNew) await db.load(world)
  await db.load(script)
  const { rest, close } = await openRestApp(db)
  onTestFinished(close)
  return createWhy({
    ...{ rest, session: db.session, catalogues: db.authenticator, reader: db.reader, sql: db.admin },
    findRequest: async () => kept,
    loginRole: 'authenticator',
    sampleRows: 20,
    masks: { current: async () => ({ columns, properties: [] }) },
  })
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly body?: string
  readonly as?: AskedAs
}

interface Mistake {
  readonly name: string
  readonly sql: string
  readonly ask?: Asked
  readonly code: FindingCode
  /** Part of the title, the detail or the statements. */
  readonly says: string
  /** Whether its statements alone mend it. */
  readonly mends?: true
}

const ownNotes = 'create policy own on public.notes for select to authenticated using (owner = auth.uid())'
const mistakes: readonly Mistake[] = [
  {
    name: 'row security without a policy',
    sql: '',
    code: 'no_policy',
    says: 'for select to "authenticated"\n  using ((select auth.uid()) = "owner")',
    mends: true,
  },
  {
    name: 'policies for other commands only',
    sql: `create policy i on public.notes for insert with check (true)`,
    code: 'no_policy_for_command',
    says: 'lets a row be read',
    mends: true,
  },
  {
    name: 'a policy for another role',
    sql: ownNotes,
    ask: { as: anon },
    code: 'no_policy_for_role',
    says: 'to "authenticated", "anon"',
    mends: true,
  },
  {
    name: 'nobody is signed in',
    sql: 'create policy own on public.notes using (owner = auth.uid())',
    ask: { as: anon },
    code: 'nobody_signed_in',
    says: 'auth.uid() is null',
  },
  {
    name: 'an owner that was never written',
    sql: `${ownNotes}; delete from public.notes where id < 3`,
    code: 'column_is_null',
    says: 'select * from "public"."notes" where "owner" is null',
  },
  {
    name: 'an owner that was never written, and stands in another table',
    sql: `create table public.bills (id int primary key, note int references public.notes, customer uuid);
      insert into public.bills values (1, 1, null);
      alter table public.bills enable row level security;
      grant select on public.bills to authenticated;
      create policy own on public.bills for select using (customer = auth.uid())`,
    ask: { path: '/bills' },
    code: 'column_is_null',
    says: 'set "customer" = o."owner"\nfrom "public"."notes" as o\nwhere o."id" = r."note"',
    mends: true,
  },
  {
    name: 'rows of other users',
    sql: `${ownNotes.replace('auth.uid()', '(select auth.uid())')}; delete from public.notes where id <> 2`,
    code: 'other_owner',
    says: `auth.uid() = '${ana}'`,
  },
  {
    name: 'a claim that stands elsewhere in the token',
    sql: `create policy team on public.notes for select using (team = (auth.jwt() ->> 'team'))`,
    code: 'claim_missing',
    says: `auth.jwt() -> 'app_metadata' ->> 'team'`,
  },
  {
    name: 'a role that no token has',
    sql: `create policy staff on public.notes for select using (auth.role() = 'admin')`,
    code: 'claim_differs',
    says: `auth.role() = 'authenticated'`,
  },
  {
    name: 'a restrictive policy',
    sql: `create policy all_rows on public.notes for select using (true);
      create policy open_only on public.notes as restrictive for select using (not hidden and status = 'none')`,
    code: 'restrictive_policy',
    says: 'open_only',
  },
  {
    name: 'a clause that is false',
    sql: `create policy open on public.notes for select using ((owner = auth.uid()) and status = 'closed')`,
    code: 'clause_false',
    says: "status = 'Shipped'",
  },
  {
    name: 'a subquery whose table hides its rows',
    sql: `create table public.members (team text, member uuid);
      insert into public.members values ('red', '${ana}');
      alter table public.members enable row level security;
      grant select on public.members to authenticated;
      create policy teams on public.notes for select
        using (exists (select from public.members m where m.team = notes.team and m.member = auth.uid()))`,
    code: 'hidden_inside',
    says: 'public.members',
  },
  {
    name: 'a subquery whose table is not granted',
    sql: `create table public.members (team text, member uuid);
      revoke all on public.members from anon, authenticated;
      create policy teams on public.notes for select
        using (exists (select from public.members m where m.team = notes.team))`,
    code: 'policy_error',
    says: 'grant select on public.members to "authenticated"',
    mends: true,
  },
  {
    name: 'a policy that reads its own table',
    sql: `create policy loop on public.notes for select using (exists (select from public.notes n where n.owner = auth.uid()))`,
    code: 'policy_recursion',
    says: 'infinite recursion',
  },
  {
    name: 'a table that is not granted',
    sql: `${ownNotes}; revoke all on public.notes from authenticated`,
    code: 'table_not_granted',
    says: 'grant select on "public"."notes" to "authenticated"',
    mends: true,
  },
  {
    name: 'columns that are not granted',
    sql: `${ownNotes}; revoke all on public.notes from authenticated; grant select (id, owner) on public.notes to authenticated`,
    code: 'columns_not_granted',
    says: 'may not read team, status, hidden',
    mends: true,
  },
  {
    name: 'a schema that is not granted',
    sql: `revoke usage on schema public from anon, authenticated, public`,
    code: 'schema_not_granted',
    says: 'grant usage on schema "public"',
    mends: true,
  },
  {
    name: 'a view that reads as its owner',
    sql: `create view public.shown as select id from public.notes where owner = auth.uid() and status = 'none';
      grant select on public.shown to authenticated`,
    ask: { path: '/shown' },
    code: 'view_runs_as_owner',
    says: 'set (security_invoker = on)',
    mends: true,
  },
  {
    name: 'a view that asks its table’s policies',
    sql: `create view public.shown with (security_invoker = on) as select id from public.notes;
      grant select on public.shown to authenticated`,
    ask: { path: '/shown' },
    code: 'no_policy',
    says: 'public.notes',
    mends: true,
  },
  {
    name: 'a parent that is hidden',
    sql: `create table public.comments (id int primary key, note int references public.notes);
      insert into public.comments values (1, 1);
      grant select on public.comments to authenticated`,
    ask: { path: '/comments', query: 'select=id,notes(id)' },
    code: 'no_policy',
    says: 'public.notes',
    mends: true,
  },
  {
    name: 'a filter in other capitals',
    sql: 'create policy all_rows on public.notes using (true)',
    ask: { query: 'status=eq.shipped' },
    code: 'filter_differs_in_case',
    says: "there is 'Shipped'",
  },
  {
    name: 'filters that no row fits at once',
    sql: 'create policy all_rows on public.notes using (true)',
    ask: { query: 'status=eq.open&id=eq.1' },
    code: 'filters_match_nothing',
    says: 'at once',
  },
  {
    name: 'a page beyond the last row',
    sql: 'create policy all_rows on public.notes using (true)',
    ask: { query: 'limit=10&offset=30' },
    code: 'range_beyond',
    says: 'from 30 on; the caller sees 3',
  },
  {
    name: 'an empty table',
    sql: 'create policy all_rows on public.notes using (true); delete from public.notes',
    code: 'table_empty',
    says: 'has no rows',
  },
  {
    name: 'a row written for another user',
    sql: `create policy write on public.notes for insert to authenticated with check (owner = auth.uid())`,
    ask: { method: 'POST', body: `{"id":4,"owner":"${ben}"}` },
    code: 'other_owner',
    says: `owner = '${ben}'`,
  },
  {
    name: 'a written row that cannot be answered',
    sql: `create policy write on public.notes for insert to authenticated with check (true)`,
    ask: { method: 'POST', query: 'select=id', body: `{"id":4,"owner":"${ana}"}` },
    code: 'no_policy_for_command',
    says: 'lets a row be read',
    mends: true,
  },
  {
    name: 'an update that gives a row away',
    sql: `${ownNotes}; create policy change on public.notes for update using (owner = auth.uid())`,
    ask: { method: 'PATCH', query: 'id=eq.1', body: `{"owner":"${ben}"}` },
    code: 'other_owner',
    says: `owner = '${ben}'`,
  },
  {
    name: 'a delete without a policy',
    sql: ownNotes,
    ask: { method: 'DELETE', query: 'id=eq.1' },
    code: 'no_policy_for_command',
    says: 'lets a row be deleted',
    mends: true,
  },
  {
    name: 'a sequence that is not granted',
    sql: `create table public.posts (id serial primary key, text text);
      grant insert on public.posts to authenticated;
      revoke all on sequence public.posts_id_seq from authenticated`,
    ask: { method: 'POST', path: '/posts', body: '{"text":"x"}' },
    code: 'sequence_not_granted',
    says: 'grant usage on sequence "public"."posts_id_seq"',
    mends: true,
  },
  {
    name: 'a function that is not granted',
    sql: `create function public.mine() returns setof public.notes language sql stable as 'select * from notes';
      revoke execute on function public.mine() from public, anon, authenticated`,
    ask: { path: '/rpc/mine' },
    code: 'function_not_granted',
    says: 'may not call public.mine',
    mends: true,
  },
  {
    name: 'a function that asks policies as its caller',
    sql: `create function public.mine() returns setof public.notes language sql stable as 'select * from notes'`,
    ask: { path: '/rpc/mine' },
    code: 'no_policy',
    says: 'public.notes',
    mends: true,
  },
  {
    name: 'a table that is not there',
    sql: '',
    ask: { path: '/nots' },
    code: 'request_refused',
    says: 'public.notes',
  },
]

describe('a mistake is named', () => {
  test.for(mistakes)('$name', async ({ sql: script, ask = {}, code, says }, { db }) => {
    const why = await open(db, script)
    const { method = 'GET', path = '/notes', query = '', body = null, as = asAna } = ask
    const { findings } = await why.ofQuestion({ method, path, query, body, profile: null }, as)
    expect(findings[0]?.code, JSON.stringify(findings, null, 2)).toBe(code)
    expect(Object.values(findings[0] ?? {}).join('\n')).toContain(says)
  })

  const mended = mistakes.filter(({ mends }) => mends)
  test.for(mended)('its statements mend it: $name', async ({ sql: script, ask = {}, code }, { db }) => {
    const why = await open(db, script)
    const { method = 'GET', path = '/notes', query = '', body = null, as = asAna } = ask
    const question = { method, path, query, body, profile: null }
    const mend = (await why.ofQuestion(question, as)).findings[0]?.sql ?? ''
    await db.load(mend)
    const after = await why.ofQuestion(question, as)
    expect(after.findings[0]?.code, mend).not.toBe(code)
  })
})

test('each row says which clause decided, with the values that it compared', async ({ db }) => {
  const why = await open(db, `create policy own on public.notes for select using (not hidden and owner = auth.uid())`)
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
  const why = await open(db, ownNotes)
  const { claims, recorded, looks } = await why.ofRequest('kept', null)
  expect(claims).toMatchObject({ sub: ana, role: 'authenticated' })
  expect(recorded).toEqual({ status: 200, errorCode: null, rows: 0 })
  expect(looks[0]?.visible).toBe(1)
})

test('an expired token is named before anything else', async ({ db }) => {
  const why = await open(db, '', { ...ofAna, status: 401, errorCode: 'PGRST303' })
  const { findings } = await why.ofRequest('kept', null)
  expect(findings.map(({ code }) => code)).toEqual(['token_refused'])
})

test('a request of another service is not explained', async ({ db }) => {
  const why = await open(db, '', { ...ofAna, service: 'auth', path: '/auth/v1/user' })
  await expect(why.ofRequest('kept', null)).rejects.toMatchObject({ code: 'CLEW_WHY_NOT_REST' })
})

test('a role that is not there, or that requests may not take, is named', async ({ db }) => {
  const why = await open(db, '', { ...ofAna, role: 'ghost', userId: null })
  expect((await why.ofRequest('kept', null)).findings.map(({ code }) => code)).toEqual(['role_unknown'])
  const owner = await open(db, '', { ...ofAna, role: 'supabase_admin', userId: null }, false)
  expect((await owner.ofRequest('kept', null)).findings.map(({ code }) => code)).toEqual(['role_not_reachable'])
})

test('a question writes nothing, whatever the policies and defaults call', async ({ db }) => {
  const why = await open(
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
  const why = await open(
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
  const unmasked = await open(db, script)
  expect(JSON.stringify(renderExplanation(await unmasked.ofQuestion(question, asked)))).toContain('Hidden@x.test')
  const why = await open(db, '', ofAna, false, columns)
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
