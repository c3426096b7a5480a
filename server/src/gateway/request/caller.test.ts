import { describe, expect, test } from 'vitest'
import { type CallerDeps, createCallerFinder } from './caller.ts'

const userId = '018f0000-0000-7000-8000-000000000001'
const deps: CallerDeps = {
  verify: (token) => {
    if (token === 'user' || token === 'foreign') {
      const claims = { sub: userId, role: 'authenticated', session_id: userId }
      return { kind: 'claims', claims, claimsJson: JSON.stringify(claims), isForeign: token === 'foreign' }
    }
    if (token === 'legacy-service') {
      const claims = { role: 'service_role' }
      return { kind: 'claims', claims, claimsJson: JSON.stringify(claims), isForeign: false }
    }
    return { kind: 'refused', problem: { kind: 'bad_signature' } }
  },
  apiKeys: { publishableKey: 'sb_publishable_p', secretKey: 'sb_secret_s' },
  keyRequired: false,
}

const role = (identity: ReturnType<ReturnType<typeof createCallerFinder>>): string =>
  identity.kind === 'caller' ? identity.caller.role : identity.kind

describe('who asks', () => {
  test.each([
    ['nothing, in local mode', null, null, 'anon'],
    ['the publishable key', 'sb_publishable_p', null, 'anon'],
    ['the secret key', 'sb_secret_s', null, 'service_role'],
    ['a legacy key', 'legacy-service', null, 'service_role'],
    ['the key twice, as the client sends it', 'sb_secret_s', 'Bearer sb_secret_s', 'service_role'],
    ['a user’s token beside the key', 'sb_publishable_p', 'bearer user', 'authenticated'],
    ['a forged token', 'sb_publishable_p', 'Bearer forged', 'refused'],
    ['an opaque key that is not ours', 'sb_secret_x', null, 'refused'],
    ['another scheme, which is no token', 'sb_publishable_p', 'Basic eDp5', 'anon'],
  ])('%s', (_, apikey, authorization, expected) => {
    expect(role(createCallerFinder(deps)({ apikey, authorization }))).toBe(expected)
  })

  test.each([
    ['nothing', null, null, 'no_key'],
    ['a user’s token alone', null, 'Bearer user', 'no_key'],
    ['a wrong key', 'sb_publishable_x', 'Bearer user', 'no_key'],
    ['a user’s token in the place of the key', 'user', null, 'no_key'],
    ['a legacy key', 'legacy-service', null, 'service_role'],
    ['the key and a token', 'sb_publishable_p', 'Bearer user', 'authenticated'],
  ])('where keys are required: %s', (_, apikey, authorization, expected) => {
    expect(role(createCallerFinder({ ...deps, keyRequired: true })({ apikey, authorization }))).toBe(expected)
  })

  test.each([
    ['a user’s token', 'Bearer user', userId],
    ['a key in its place', 'Bearer legacy-service', undefined],
    ['an opaque key in its place', 'Bearer sb_secret_s', undefined],
    ['a forged token', 'Bearer forged', undefined],
    ['nothing', null, undefined],
  ])('without a key where keys are required, a service may still see %s', (_, authorization, expected) => {
    const identity = createCallerFinder({ ...deps, keyRequired: true })({ apikey: null, authorization })
    expect(identity.kind === 'no_key' ? identity.bearer?.userId : identity.kind).toBe(expected)
  })

  test.each([
    ['user', userId],
    ['foreign', null],
  ])('the subject of a %s’s token is the user %s', (token, expected) => {
    const identity = createCallerFinder(deps)({ apikey: null, authorization: `Bearer ${token}` })
    expect(identity).toMatchObject({ caller: { role: 'authenticated', userId: expected, authSessionId: expected } })
  })
})
