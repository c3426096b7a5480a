import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { inspections } from './inspections.ts'

type Row = Readonly<Record<string, string | null>>

async function rowsOf(db: TestDatabase, name: string): Promise<readonly Row[]> {
  const inspection = inspections[name]
  if (inspection === undefined) throw new Error(`There is no inspection ${name}.`)
  return (await db.owner.query<Row>(inspection.statement)).rows
}

const cups = `
  create table public.cups (id int primary key, size text);
  create index cups_size on public.cups (size);
  insert into public.cups select n, 'large' from generate_series(1, 1000) n;
  delete from public.cups where id > 500;
  analyze public.cups`

test.for(Object.keys(inspections))('%s has the columns that it names, as text', async (name, { db }) => {
  await db.load(`${cups}; select pg_stat_force_next_flush()`)
  const rows = await rowsOf(db, name)
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(inspections[name]?.columns)
    for (const value of Object.values(row)) expect(typeof value).toBe('string')
  }
})

test('sizes and use of tables and indexes', async ({ db }) => {
  await db.load(cups)
  const [size] = await rowsOf(db, 'db-stats')
  expect(size?.size).toMatch(/ [kM]B$/)
  const table = (await rowsOf(db, 'table-stats')).find((row) => row.table === 'public.cups')
  expect(table).toMatchObject({ 'rows (estimate)': '500' })
  const unused = (await rowsOf(db, 'unused-indexes')).map((row) => row.index)
  expect(unused).toContain('public.cups_size')
  expect(unused).not.toContain('public.cups_pkey')
  const indexes = await rowsOf(db, 'index-stats')
  expect(indexes.find((row) => row.index === 'public.cups_size')).toMatchObject({ table: 'public.cups', unused: 'yes' })
})

test('bloat names the table whose rows are dead', async ({ db }) => {
  await db.load(cups)
  await expect
    .poll(async () => (await rowsOf(db, 'bloat')).find((row) => row.table === 'public.cups'))
    .toMatchObject({ 'live rows': '500', 'dead rows': '500', share: '50.0 %' })
})

test('what waits for a lock is shown with what holds it', async ({ db }) => {
  await db.load(cups)
  let waiting: Promise<unknown> = Promise.resolve()
  await db.owner.transaction(async (sql) => {
    await sql.query({ text: 'lock table public.cups in access exclusive mode', values: [] })
    waiting = db.admin.query({ text: 'select count(*) from public.cups', values: [] })
    await expect
      .poll(async () => (await rowsOf(db, 'blocking'))[0]?.['blocked query'])
      .toBe('select count(*) from public.cups')
    expect(await rowsOf(db, 'locks')).toContainEqual(
      expect.objectContaining({ table: 'cups', mode: 'AccessExclusiveLock', granted: 'yes' }),
    )
  })
  await waiting
})
