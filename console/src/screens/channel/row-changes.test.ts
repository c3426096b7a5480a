import { expect, test } from 'vitest'
import { describeChange, readRowChangesWish } from './row-changes.ts'

test.each([
  ['orders', '', { event: '*', schema: 'public', table: 'orders' }],
  [' shop.orders ', ' id=eq.1 ', { event: '*', schema: 'shop', table: 'orders', filter: 'id=eq.1' }],
  ['shop.*', '', { event: '*', schema: 'shop', table: '*' }],
  ['shop.a.b', '', { event: '*', schema: 'shop', table: 'a.b' }],
])('%s with the filter “%s” is asked for as the protocol does', (table, filter, wish) => {
  expect(readRowChangesWish('*', table, filter)).toEqual(wish)
})

test('a change is shown by its rows, without those that it has not', () => {
  const change = { schema: 'shop', table: 'orders', old: {}, new: { id: 1 }, commit_timestamp: 't', errors: null }
  expect(JSON.stringify(describeChange(change))).toBe('{"table":"shop.orders","new":{"id":1},"commit_timestamp":"t"}')
  expect(describeChange({ ...change, old: { id: 1 }, new: {}, errors: ['Error 401'] })).toEqual({
    table: 'shop.orders',
    old: { id: 1 },
    commit_timestamp: 't',
    errors: ['Error 401'],
  })
})
