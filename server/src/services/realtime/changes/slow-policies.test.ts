import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { joined, openRealtime } from '../../../../test/realtime-app.ts'

const readers = [1, 2, 3, 4].map((n) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`)

test('rows whose policy takes long for all callers together are asked about in parts, and none is left out', async ({
  db,
}) => {
  await db.load(`
    create table public.slow (id int primary key);
    alter table public.slow enable row level security;
    create policy "a hundredth of a second a row" on public.slow for select to authenticated
      using (pg_sleep(0.01) is not null);
    grant select on public.slow to authenticated;
    alter publication supabase_realtime add table public.slow`)
  const { client } = await openRealtime(db)
  const heard = await Promise.all(
    readers.map(async (reader) => {
      const socket = client(reader)
      await socket.setAuth()
      const channel = socket.channel('slow')
      const rows: unknown[] = []
      const told = new Promise((resolve) => channel.on('system', {}, resolve))
      channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'slow' }, ({ new: row }) =>
        rows.push(row.id),
      )
      await joined(channel)
      await told
      return rows
    }),
  )
  await expect.poll(() => db.changes.health().state).toBe('up')
  const ids = Array.from({ length: 100 }, (_, index) => index + 1)
  await db.load('insert into public.slow select generate_series(1, 100)')
  await expect.poll(() => heard.map((rows) => rows.length)).toEqual(readers.map(() => 100))
  for (const rows of heard) expect(rows).toEqual(ids)
})
