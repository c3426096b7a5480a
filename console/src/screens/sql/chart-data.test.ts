import { expect, test } from 'vitest'
import { chartOf } from './chart-data.ts'

const columns = (...types: readonly string[]) => types.map((type, index) => ({ name: `c${index}`, type }))

test('numbers are drawn along a time, in its order', () => {
  const rows = [
    ['2026-01-02 00:00:00+00', '2', 'x'],
    ['2026-01-01 00:00:00+01', '1.5', 'y'],
    [null, '9', 'z'],
  ]
  expect(chartOf({ columns: columns('timestamp with time zone', 'numeric', 'text'), rows })).toEqual({
    ...{ along: 'c0', isTime: true },
    xs: [Date.parse('2025-12-31T23:00:00Z') / 1000, Date.parse('2026-01-02T00:00:00Z') / 1000],
    labels: ['2026-01-01 00:00:00+01', '2026-01-02 00:00:00+00'],
    series: [{ name: 'c1', values: [1.5, 2] }],
  })
})

test('without a time they stand in the rows’ order, by name', () => {
  const rows = [
    ['cake', '3', null],
    ['tea', '1', '5'],
  ]
  expect(chartOf({ columns: columns('String', 'UInt64', 'Nullable(Int32)'), rows })).toMatchObject({
    ...{ along: 'c0', isTime: false, xs: [0, 1], labels: ['cake', 'tea'] },
    series: [{ values: [3, 1] }, { values: [null, 5] }],
  })
})

test.each([
  ['no numbers', columns('text'), [['a']]],
  ['one number alone', columns('integer'), [['1']]],
  ['no rows', columns('text', 'integer'), []],
])('%s are no chart', (_, of, rows) => {
  expect(chartOf({ columns: of, rows })).toBeNull()
})

test('a date of ClickHouse is UTC', () => {
  const rows = [['2026-01-02', '1']]
  expect(chartOf({ columns: columns('Date', 'UInt64'), rows })?.xs).toEqual([Date.parse('2026-01-02T00:00:00Z') / 1000])
})
