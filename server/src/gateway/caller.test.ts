import { describe, expect, test } from 'vitest'
import { type CallerDeps, createCallerFinder } from './caller.ts'

const userId = '018f0000-0000-7000-8000-000000000001'
const deps: CallerDeps = {
  verify: (token) => {
    if (token === 'user') {
      const claims = { sub: userId, role: 'authenticated', session_id: userId }
      return { kind: 'claims', claims, claimsJson: JSON.stringify(claims) }
    }
    if (token === 'legacy-service') {
      const claims = { role: 'service_role' }
      return { kind: 'claims', claims, claimsJson: JSON.stringify(claims) }
    }
    return { kind: 'refused', problem: { kind: 'bad_signature' } }
  },
  publishableKey: 'sb_publishable_p',
  secretKey: 'sb_secret_s',
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
})
