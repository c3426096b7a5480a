import { expect, test } from 'vitest'
import { applyProperties, isIllegalDistinctId, mergePersons, type PersonState, planMerge } from './merge.ts'

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

test.each([
  '',
  '  ',
  'anonymous',
  'Guest',
  'DISTINCT_ID',
  'undefined',
  'True',
  'null',
  'None',
  '0',
  'NaN',
  '[object Object]',
  '"anonymous"',
  "'null'",
])('%j is nobody’s id', (id) => {
  expect(isIllegalDistinctId(id)).toBe(true)
})

test.each(['ada', 'nan', 'NULL', '00', 'anonymous1', '01a1fe24-a183-7bb8-a492-85d54e35c81b'])(
  '%j may be an id',
  (id) => {
    expect(isIllegalDistinctId(id)).toBe(false)
  },
)

test('the same id is nothing to merge', () => {
  expect(planMerge(known('a', null), known('a', null), false)).toEqual({ kind: 'nothing', reason: 'same_id' })
})

test('an illegal id on either side merges nothing, even dangerously', () => {
  expect(planMerge(known('null', null), known('b', null), true)).toMatchObject({ reason: 'illegal_id' })
  expect(planMerge(known('a', null), known('undefined', null), true)).toMatchObject({ reason: 'illegal_id' })
})

test('two ids without a person get a new one, else the one there is', () => {
  const one = person('1')
  expect(planMerge(known('a', null), known('b', null), false)).toEqual({ kind: 'join', person: null })
  expect(planMerge(known('a', one), known('b', null), false)).toEqual({ kind: 'join', person: one })
  expect(planMerge(known('a', null), known('b', one), false)).toEqual({ kind: 'join', person: one })
})

test('an anonymous person is merged into the event’s; an identified one only dangerously', () => {
  const one = person('1')
  const two = person('2')
  const identified = person('2', { isIdentified: true })
  expect(planMerge(known('a', one), known('b', two), false)).toEqual({ kind: 'merge', winner: one, loser: two })
  expect(planMerge(known('a', one), known('b', identified), false)).toMatchObject({ reason: 'already_identified' })
  expect(planMerge(known('a', one), known('b', identified), true)).toMatchObject({ kind: 'merge' })
  expect(planMerge(known('a', one), known('b', one), false)).toMatchObject({ reason: 'same_person' })
})

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

test('properties follow the events’ times, not the order of their arrival', () => {
  const none = { set: null, setOnce: null, unset: [] }
  const late = { ...none, set: { plan: 'pro' }, setOnce: { source: 'ad' }, atMs: 20 }
  const early = { ...none, set: { plan: 'free', city: 'Rome' }, setOnce: { source: 'search' }, atMs: 10 }
  const inOrder = applyProperties(applyProperties(person('1'), early), late)
  const reversed = applyProperties(applyProperties(person('1'), late), early)
  expect(inOrder.properties).toEqual({ plan: 'pro', city: 'Rome', source: 'search' })
  expect(reversed.properties).toEqual({ plan: 'pro', city: 'Rome', source: 'ad' })
  const unset = applyProperties(inOrder, { ...none, unset: ['plan', 'city'], atMs: 15 })
  expect(unset.properties).toEqual({ plan: 'pro', source: 'search' })
  expect(applyProperties(unset, { ...none, set: { city: 'Oslo' }, atMs: 12 }).properties).not.toHaveProperty('city')
})
