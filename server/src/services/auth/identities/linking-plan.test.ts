import { expect, test } from 'vitest'
import { linkingDomainOf } from '../model/linking.ts'
import { type LinkingPlan, parseLinkingDomains, planLinking, verifiedAddresses } from './linking-plan.ts'

const email = (address: string, verified: boolean) => ({ address, verified, primary: true })
const nothing = { owner: null, matches: [], addressTaken: false }

type Row = readonly [rule: string, ...args: Parameters<typeof planLinking>, plan: LinkingPlan]

test.each<Row>([
  [
    'an identity that is known',
    { owner: 'u1', matches: ['u2', 'u3'], addressTaken: true },
    email('a@b.c', true),
    ['a@b.c'],
    { kind: 'exists', userId: 'u1' },
  ],
  [
    'one user with a verified address',
    { ...nothing, matches: ['u1'], addressTaken: true },
    email('a@b.c', true),
    ['a@b.c'],
    { kind: 'link', userId: 'u1' },
  ],
  ['several', { ...nothing, matches: ['u1', 'u2'] }, email('a@b.c', true), ['a@b.c'], { kind: 'ambiguous' }],
  ['nobody', nothing, email('A@b.c', true), ['a@b.c'], { kind: 'create', email: 'a@b.c' }],
  ['an unverified address that is free', nothing, email('A@b.c', false), [], { kind: 'create', email: 'a@b.c' }],
  [
    'an unverified address that is somebody’s',
    { ...nothing, addressTaken: true },
    email('a@b.c', false),
    [],
    { kind: 'create', email: null },
  ],
  ['no address', nothing, null, [], { kind: 'create', email: null }],
])('auth §13 %s', (_rule, facts, leading, verified, plan) => {
  expect(planLinking(facts, leading, verified)).toEqual(plan)
})

test('auth §13 addresses count when the provider verified them', () => {
  expect(verifiedAddresses([email('A@b.c', true), email('d@e.f', false), email('', true)])).toEqual(['a@b.c'])
})

test('auth §13 every single sign-on provider is a domain of its own, others share one unless the settings say so', () => {
  const domains = parseLinkingDomains(['facebook=social', 'custom:acme=social'])
  expect(['google', 'facebook', 'custom:acme', 'sso:1'].map((name) => linkingDomainOf(name, domains))).toEqual([
    'default',
    'social',
    'social',
    'sso:1',
  ])
})
