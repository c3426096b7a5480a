import { expect, test } from 'vitest'
import { type ColumnChoice, planColumns } from './plan.ts'

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 10, minute))
const read = (property: string) => ({ property, leavingAt: null })
const left = (property: string, minute: number) => ({ property, leavingAt: at(minute) })

const choose = (uses: Readonly<Record<string, number>>, others: Partial<ColumnChoice> = {}) => {
  const choice = { columns: [], most: 2, fewest: 10, leftBefore: at(30), ...others }
  const plan = planColumns({ ...choice, uses: new Map(Object.entries(uses)) })
  return Object.fromEntries(Object.entries(plan).filter(([, names]) => names.length > 0))
}

test('what is asked for most has a column, if it is asked for often', () => {
  expect(choose({ a: 9, b: 10, c: 30, d: 20 })).toEqual({ add: ['c', 'd'] })
  expect(choose({ a: 9, b: 10 })).toEqual({ add: ['b'] })
  expect(choose({ b: 10, a: 10, c: 10 })).toEqual({ add: ['a', 'b'] })
})

test('a column stays while it is asked for at all, and gives its place to what is asked for much more', () => {
  const columns = [read('a'), read('b')]
  expect(choose({ a: 1, b: 30, c: 1 }, { columns })).toEqual({})
  expect(choose({ a: 20, b: 30, c: 40 }, { columns })).toEqual({})
  expect(choose({ a: 20, b: 30, c: 41 }, { columns })).toEqual({ add: ['c'], leave: ['a'] })
  expect(choose({ b: 30 }, { columns })).toEqual({ leave: ['a'] })
})

test('a column is dropped once no statement reads it any more, and kept if it is asked for again before', () => {
  const columns = [left('a', 29), left('b', 30)]
  expect(choose({}, { columns })).toEqual({ drop: ['a'] })
  expect(choose({ a: 1, b: 1 }, { columns })).toEqual({ keep: ['a', 'b'] })
})

test('without columns by its setting all of them go', () => {
  expect(choose({ a: 100, b: 100 }, { columns: [read('a'), left('b', 0)], most: 0 })).toEqual({
    leave: ['a'],
    drop: ['b'],
  })
})
