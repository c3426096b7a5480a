import { expect, test } from 'vitest'
import { planRefresh, type RefreshFacts, type RefreshRules } from './refresh-plan.ts'

const at = (seconds: number) => new Date(1_000_000 + seconds * 1000)
const rules: RefreshRules = {
  reuseIntervalSeconds: 10,
  rotation: true,
  timeboxSeconds: null,
  inactivityTimeoutSeconds: null,
}
const session = { id: 's', userId: 'u', aal: 'aal1', createdAt: at(0), refreshedAt: null, notAfter: null }
const row = (token: string, revoked: boolean, parent: string | null = null) => ({
  token,
  revoked,
  updatedAt: at(0),
  parent,
})
const plan = (facts: Partial<RefreshFacts>, with_: Partial<RefreshRules> = {}) =>
  planRefresh(
    { used: row('a', true), active: row('c', false, 'b'), session, now: at(5), ...facts },
    { ...rules, ...with_ },
  )

test.each([
  ['a live token is swapped', { used: row('c', false, 'b') }, {}, { kind: 'swap' }],
  ['the parent of the live token gets it again', { used: row('b', true) }, {}, { kind: 'repeat', token: 'c' }],
  ['… however late', { used: row('b', true), now: at(1e6) }, {}, { kind: 'repeat', token: 'c' }],
  ['an older one soon after gets one more', {}, {}, { kind: 'branch' }],
  ['… to the very second', { now: at(10) }, {}, { kind: 'branch' }],
  ['an older one later ends the session', { now: at(11) }, {}, { kind: 'reused', endSession: true }],
  ['… but not without rotation', { now: at(11) }, { rotation: false }, { kind: 'reused', endSession: false }],
  ['a session that was ended is not brought back', { active: null }, {}, { kind: 'reused', endSession: true }],
  [
    'a session past its end is over, whatever the token',
    { used: row('c', false), session: { ...session, notAfter: at(4) } },
    {},
    { kind: 'expired', message: 'Invalid Refresh Token: Session Expired' },
  ],
] as const)('%s', (_, facts, with_, expected) => {
  expect(plan(facts, with_)).toEqual(expected)
})
