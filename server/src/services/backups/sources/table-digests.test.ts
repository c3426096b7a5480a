import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { digestAllTables, digestQuietTables, unchangedTables } from './table-digests.ts'

test('a digest is another one after any write, and that of a large table is not made', async ({ db }) => {
  const database = {
    query: async <Row extends object>(statement: Parameters<typeof db.admin.query>[0]) =>
      (await db.admin.query<Row>(statement)).rows,
  }
  const write = (text: string) => db.admin.query({ text, values: [] })
  await write(
    'create table public.quiet (n int); create table public.written (n int); create table public.dropped (n int)',
  )
  await write('insert into public.quiet select generate_series(1, 100)')
  await write('insert into public.written values (1), (2)')
  const before = await digestAllTables(database)
  expect(before.get('public.quiet')).toMatch(/^100:/)
  await write('update public.written set n = n')
  await write('drop table public.dropped')
  await write('create table public.made (n int)')
  const after = await digestAllTables(database)
  const tables = new Map(unchangedTables(before, after).map(({ name, digest }) => [name, digest]))
  expect(tables.get('public.quiet')).toBe(before.get('public.quiet'))
  expect(tables.get('public.written')).toBeNull()
  expect([tables.has('public.dropped'), tables.has('public.made')]).toEqual([false, false])
  expect((await digestQuietTables(database, 100)).get('public.quiet')).toBeNull()
})
