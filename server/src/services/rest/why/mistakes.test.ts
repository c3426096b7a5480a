import { describe, expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { ana, anon, asAna, ben, openWhy } from '../../../../test/why-world.ts'
import type { AskedAs } from './caller.ts'
import type { FindingCode } from './finding.ts'

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
    const why = await openWhy(db, script)
    const { method = 'GET', path = '/notes', query = '', body = null, as = asAna } = ask
    const { findings } = await why.ofQuestion({ method, path, query, body, profile: null }, as)
    expect(findings[0]?.code, JSON.stringify(findings, null, 2)).toBe(code)
    expect(Object.values(findings[0] ?? {}).join('\n')).toContain(says)
  })

  const mended = mistakes.filter(({ mends }) => mends)
  test.for(mended)('its statements mend it: $name', async ({ sql: script, ask = {}, code }, { db }) => {
    const why = await openWhy(db, script)
    const { method = 'GET', path = '/notes', query = '', body = null, as = asAna } = ask
    const question = { method, path, query, body, profile: null }
    const mend = (await why.ofQuestion(question, as)).findings[0]?.sql ?? ''
    await db.load(mend)
    const after = await why.ofQuestion(question, as)
    expect(after.findings[0]?.code, mend).not.toBe(code)
  })
})
