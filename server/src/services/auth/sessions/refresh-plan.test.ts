import { expect, test } from 'vitest'
import { planRefresh, planSignedRefresh, type RefreshFacts, type RefreshRules } from './refresh-plan.ts'

const at = (seconds: number) => new Date(1_000_000 + seconds * 1000)
const rules: RefreshRules = { reuseIntervalSeconds: 10, rotation: true, allowReuse: false }
const row = (token: string, revoked: boolean, parent: string | null = null) => ({
  token,
  revoked,
  updatedAt: at(0),
  parent,
})
const plan = (facts: Partial<RefreshFacts>, with_: Partial<RefreshRules> = {}) =>
  planRefresh(
    {
      used: row('a', true),
      active: row('c', false, 'b'),
      newest: row('c', false, 'b'),
      signed: null,
      now: at(5),
      ...facts,
    },
    { ...rules, ...with_ },
  )
const repeat = { kind: 'repeat', token: 'c', cause: 'fail-to-save' } as const
const signed = (counter: number) => ({ key: 'k', counter })

// Version 1 (auth §8).
test.each([
  ['a live token is swapped', { used: row('c', false, 'b') }, {}, { kind: 'swap' }],
  ['the parent of the live token gets it again', { used: row('b', true) }, {}, repeat],
  ['… however late', { used: row('b', true), now: at(1e6) }, {}, repeat],
  ['an older one soon after gets one more', {}, {}, { kind: 'branch' }],
  ['… to the very second', { now: at(10) }, {}, { kind: 'branch' }],
  ['an older one later ends the tokens', { now: at(11) }, {}, { kind: 'reused', end: 'tokens' }],
  ['… but not without rotation', { now: at(11) }, { rotation: false }, { kind: 'reused', end: 'nothing' }],
  ['a session that was ended is not brought back', { active: null }, {}, { kind: 'reused', end: 'tokens' }],
  [
    'the last opaque token of a session that went over gets the signed one, however late',
    { used: row('b', true), signed: signed(0), now: at(1e6) },
    {},
    { kind: 'recount', counter: 0, cause: 'fail-to-save' },
  ],
  [
    '… until the signed one was used',
    { used: row('b', true), signed: signed(1), now: at(11) },
    {},
    { kind: 'reused', end: 'session' },
  ],
  [
    'an older one soon after the session went over gets the signed one',
    { signed: signed(3) },
    {},
    { kind: 'recount', counter: 3, cause: 'concurrent-refresh' },
  ],
] as const)('%s', (_, facts, with_, expected) => {
  expect(plan(facts, with_)).toEqual(expected)
})

// Version 2, the session's counter is 7 (auth §8).
test.each([
  ['the newest is followed by the next', 7, 1e6, {}, { kind: 'count', counter: 8 }],
  ['one that is ahead is none of ours', 8, 5, {}, { kind: 'foreign' }],
  ['the one before gets the newest again', 6, 1e6, {}, { kind: 'recount', counter: 7, cause: 'fail-to-save' }],
  [
    '… with both reasons soon after',
    6,
    5,
    {},
    { kind: 'recount', counter: 7, cause: 'concurrent-refresh,fail-to-save' },
  ],
  ['an older one soon after, too', 5, 9, {}, { kind: 'recount', counter: 7, cause: 'concurrent-refresh' }],
  ['an older one later ends the session', 5, 10, {}, { kind: 'reused', end: 'session' }],
  ['… but not without rotation', 5, 10, { rotation: false }, { kind: 'reused', end: 'nothing' }],
  [
    '… and not where reuse is allowed',
    0,
    1e6,
    { allowReuse: true },
    { kind: 'recount', counter: 7, cause: 'always-allow' },
  ],
] as const)('of signed tokens, %s', (_, counter, seconds, with_, expected) => {
  const facts = { counter, signed: signed(7), lastRefreshAt: at(0), now: at(seconds) }
  expect(planSignedRefresh(facts, { ...rules, ...with_ })).toEqual(expected)
})
