import { expect, test } from 'vitest'
import { orders } from '../../../../test/answers.ts'
import { readCaller, whySearch } from './caller.ts'

test('a link names a role, or a user with an address; another one is none', () => {
  expect(readCaller({ as: 'anon', user: 'x' })).toEqual({ as: 'anon' })
  expect(readCaller({ as: 'user', user: 'ana@example.test' })).toEqual({ as: 'user', user: 'ana@example.test' })
  expect([readCaller({ as: 'user' }), readCaller({ as: 'postgres' }), readCaller({})]).toEqual(Array(3).fill(undefined))
})

test('why is asked about the rows as they are filtered', () => {
  expect(whySearch(orders, ['total.gt.5', 'or.(id.eq.1,id.eq.2)'], { as: 'anon' })).toEqual({
    ...{ method: 'GET', path: 'orders', as: 'anon' },
    query: 'total=gt.5&or=%28id.eq.1%2Cid.eq.2%29',
  })
})
