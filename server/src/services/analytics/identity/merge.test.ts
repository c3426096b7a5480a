import { expect, test } from 'vitest'
import { mergePersons, type PersonState, planMerge } from './merge.ts'

const person = (id: string, more: Partial<PersonState> = {}): PersonState => ({
  id,
  properties: {},
  propertyTimes: {},
  createdAtMs: 1_000,
  isIdentified: false,
  authUserId: null,
  splits: {},
  ...more,
})
const known = (distinctId: string, owner: PersonState | null) => ({ distinctId, person: owner })

test('two users of the application are never merged, even dangerously', () => {
  const one = person('1', { authUserId: 'u1' })
  const two = person('2', { authUserId: 'u2' })
  expect(planMerge(known('a', one), known('b', two), true)).toEqual({ kind: 'refused', reason: 'another_user' })
})

test('the winner’s properties stand over the loser’s, the older beginning and the user are kept', () => {
  const merged = mergePersons(
    person('1', { properties: { plan: 'pro' }, createdAtMs: 2_000 }),
    person('2', { properties: { plan: 'free', city: 'Rome' }, authUserId: 'u2' }),
  )
  expect(merged).toMatchObject({
    id: '1',
    properties: { plan: 'pro', city: 'Rome' },
    createdAtMs: 1_000,
    isIdentified: true,
    authUserId: 'u2',
  })
})
