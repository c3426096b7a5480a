import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import type { ChangeTransaction } from '../../ground/model/change.ts'
import type { Postgres } from './postgres.ts'

const table = `create table notes (id int primary key, title text, done boolean default false)`

/** Reads the stream into a list; resolves `until` there are so many transactions. */
async function follow(db: Postgres): Promise<{ seen: ChangeTransaction[]; until(count: number): Promise<void> }> {
  const seen: ChangeTransaction[] = []
  db.changes.subscribe(async (transaction) => {
    seen.push(transaction)
  })
  await expect.poll(() => db.changes.health().state, { interval: 5 }).toBe('up')
  return {
    seen,
    until: (count) => expect.poll(() => seen.length, { interval: 5, timeout: 5000 }).toBeGreaterThanOrEqual(count),
  }
}

test('a transaction arrives with its rows before and after', async ({ db }) => {
  await db.load(table)
  const { seen, until } = await follow(db)
  await db.load(`insert into notes values (1, 'milk'), (2, null)`)
  await db.load(`update notes set title = 'oat milk' where id = 1`)
  await db.load(`delete from notes where id = 2`)
  await db.load('truncate notes')
  await until(4)
  const types = { id: 'integer', title: 'text', done: 'boolean' }
  const common = { schema: 'public', table: 'notes', types }
  expect(seen.map((transaction) => transaction.changes)).toEqual([
    [
      { ...common, operation: 'insert', key: { id: '1' }, old: null, new: { id: '1', title: 'milk', done: 'f' } },
      { ...common, operation: 'insert', key: { id: '2' }, old: null, new: { id: '2', title: null, done: 'f' } },
    ],
    [
      {
        ...common,
        operation: 'update',
        key: { id: '1' },
        old: { id: '1', title: 'milk', done: 'f' },
        new: { id: '1', title: 'oat milk', done: 'f' },
      },
    ],
    [{ ...common, operation: 'delete', key: { id: '2' }, old: { id: '2', title: null, done: 'f' }, new: null }],
    [{ ...common, operation: 'truncate', key: {}, old: null, new: null }],
  ])
  expect(seen.every((transaction) => transaction.requestId === null)).toBe(true)
  expect(Math.abs(Date.now() - (seen[0]?.committedAt.getTime() ?? 0))).toBeLessThan(60_000)
})
