import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'

const rows = async (db: TestDatabase, text: string) =>
  (await db.owner.query<Record<string, unknown>>({ text, values: [] })).rows
const messages = (db: TestDatabase) =>
  rows(db, 'select topic, event, private, extension, payload from realtime.messages order by inserted_at, event')

test('project-folder §5 migrations of projects that use realtime run', async ({ db }) => {
  await db.load(`
    create table public.notes (id int primary key, body text);
    alter table realtime.messages enable row level security;
    create policy "members read" on realtime.messages for select to authenticated
      using (realtime.topic() = 'room' and extension in ('broadcast', 'presence'));
    create policy "members write" on "realtime"."messages" for insert to authenticated with check (topic = 'room');
    grant select on realtime.messages to authenticated;
    alter publication supabase_realtime add table public.notes;
    create function public.tell() returns trigger language plpgsql security definer as $$
    begin
      perform realtime.broadcast_changes(
        'notes:' || coalesce(new.id, old.id), tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
      return null;
    end $$;
    create trigger tell after insert or update or delete on public.notes for each row execute function public.tell();
    create function public.shown() returns setof realtime.messages language sql as 'select * from realtime.messages';
    insert into public.notes values (1, 'a');
    delete from public.notes`)
  expect(await messages(db)).toEqual([
    {
      ...{ topic: 'notes:1', event: 'DELETE', private: true, extension: 'broadcast' },
      payload: {
        ...{ id: expect.any(String), schema: 'public', table: 'notes', operation: 'DELETE' },
        ...{ record: null, old_record: { id: 1, body: 'a' } },
      },
    },
    {
      ...{ topic: 'notes:1', event: 'INSERT', private: true, extension: 'broadcast' },
      payload: {
        ...{ id: expect.any(String), schema: 'public', table: 'notes', operation: 'INSERT' },
        ...{ record: { id: 1, body: 'a' }, old_record: null },
      },
    },
  ])
})

test('a message that is not allowed ends nothing of its caller’s', async ({ db }) => {
  await db.load(`
    create policy p on realtime.messages for insert to authenticated with check (topic = 'room' and realtime.topic() = 'room');
    begin;
    set local role authenticated;
    select realtime.send('{"a":1}', 'said', 'room', false);
    select realtime.send('{"a":1}', 'said', 'elsewhere', false);
    select realtime.send('[1]', null, null);
    commit`)
  expect(await messages(db)).toMatchObject([{ topic: 'room', payload: { a: 1, id: expect.any(String) } }])
})

test('messages of three days ago go as others come', async ({ db }) => {
  await db.load(`
    insert into realtime.messages (topic, extension, event, inserted_at)
    select 'old', 'broadcast', 'e', now() - interval '73 hours' from generate_series(1, 150);
    insert into realtime.messages (topic, extension, event, inserted_at)
    values ('new', 'broadcast', 'e', now() - interval '71 hours');
    select realtime.send_binary('\\x00ff', 'e', 'new')`)
  expect(await rows(db, 'select topic, count(*)::int as n from realtime.messages group by 1')).toEqual([
    { topic: 'new', n: 2 },
  ])
})

test('the table stays as it is', async ({ db }) => {
  for (const harm of [
    'alter table realtime.messages disable row level security',
    'drop table realtime.messages',
    'drop function realtime.topic()',
    'alter table realtime.messages add column x int',
  ])
    await expect(db.load(harm)).rejects.toThrow('which belongs to Clew')
})
