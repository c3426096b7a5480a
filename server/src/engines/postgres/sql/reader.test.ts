import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

const numbers = (from: number) => compile(sql`select n from public.numbers where n > ${typed(from, 'int')} order by n`)

test('a large answer is read in slices, of one moment, and nothing is fetched ahead', async ({ db }) => {
  await db.load('create table public.numbers (n int); insert into public.numbers select generate_series(1, 25)')
  const slices: (readonly number[])[] = []
  await db.reader.readSlices<{ n: number }>(numbers(5), 10, async (rows) => {
    slices.push(rows.map(({ n }) => n))
    await db.load('insert into public.numbers values (100)')
  })
  expect(slices.map((rows) => [rows.length, rows.at(0), rows.at(-1)])).toEqual([
    [10, 6, 15],
    [10, 16, 25],
  ])
  const more: number[] = []
  await db.reader.readSlices(numbers(50), 10, async (rows) => void more.push(rows.length))
  expect(more).toEqual([2])
})

test('what the caller throws ends the statement, and a statement that writes is refused', async ({ db }) => {
  await db.load('create table public.numbers (n int); insert into public.numbers select generate_series(1, 25)')
  let asked = 0
  const stop = new Error('enough')
  const read = db.reader.readSlices(numbers(0), 10, async () => {
    asked += 1
    throw stop
  })
  await expect(read).rejects.toBe(stop)
  expect(asked).toBe(1)
  await db.load(
    `create function public.write() returns int language sql as 'insert into public.numbers values (0) returning n'`,
  )
  const writing = db.reader.readSlices(compile(sql`select public.write()`), 10, async () => undefined)
  await expect(writing).rejects.toMatchObject({ code: '25006' })
  await expect(db.reader.query(numbers(24))).resolves.toMatchObject({ rows: [{ n: 25 }] })
})
