import { expect, test } from 'vitest'
import { readRowChangesWish } from './row-changes.ts'

test.each([
  ['orders', '', { event: '*', schema: 'public', table: 'orders' }],
  [' shop.orders ', ' id=eq.1 ', { event: '*', schema: 'shop', table: 'orders', filter: 'id=eq.1' }],
  ['shop.*', '', { event: '*', schema: 'shop', table: '*' }],
  ['shop.a.b', '', { event: '*', schema: 'shop', table: 'a.b' }],
])('%s with the filter “%s” is asked for as the protocol does', (table, filter, wish) => {
  expect(readRowChangesWish('*', table, filter)).toEqual(wish)
})
