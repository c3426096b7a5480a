import { describe, expect, test } from 'vitest'
import { threadSettings } from '../settings.ts'
import { createColumnGuard, redactQuery, redactUrl } from './redact.ts'

describe('query strings', () => {
  test.each([
    ['id=eq.812&select=*', 'rest', 'id=eq.812&select=*'],
    ['apikey=sb_secret_x&limit=1', 'rest', 'apikey=(redacted)&limit=1'],
    ['APIKEY=x', 'rest', 'APIKEY=(redacted)'],
    ['token_hash=abc&type=email', 'auth', 'token_hash=(redacted)&type=email'],
    ['access%5Ftoken=abc', 'auth', 'access%5Ftoken=(redacted)'],
    ['grant_type=pkce&code=abc', 'auth', 'grant_type=pkce&code=(redacted)'],
    ['state=s&oauth_verifier=abc', 'auth', 'state=s&oauth_verifier=(redacted)'],
    ['code=eq.PT&password=eq.x', 'rest', 'code=eq.PT&password=(redacted)'],
    ['new_password=x=y&z', 'auth', 'new_password=(redacted)&z'],
    ['%E0%A4=broken', 'rest', '%E0%A4=broken'],
  ])('%s of %s', (query, service, kept) => {
    expect(redactQuery(query, service)).toBe(kept)
  })

  test.each([
    ['http://a.test/x?code=1&b=2#h', 'http://a.test/x?code=(redacted)&b=2#h'],
    [
      'http://a.test/#access_token=1&refresh_token=2&type=signup',
      'http://a.test/#access_token=(redacted)&refresh_token=(redacted)&type=signup',
    ],
    ['http://a.test/menu', 'http://a.test/menu'],
  ])('address %s', (href, kept) => {
    expect(redactUrl(href)).toBe(kept)
  })
})

describe('columns', () => {
  const guard = createColumnGuard(threadSettings.secretColumns.default, 1000)

  test.each([
    ['public', 'people', 'password', true],
    ['public', 'people', 'Password_Digest', true],
    ['public', 'people', 'encrypted_password', true],
    ['public', 'devices', 'push_token', true],
    ['public', 'files', 'content_hash', true],
    ['public', 'orders', 'total', false],
    ['public', 'orders', 'hashtag', false],
    ['auth', 'users', 'email', false],
    ['auth', 'users', 'encrypted_password', true],
    ['auth', 'users', 'a_column_of_tomorrow', true],
    ['auth', 'refresh_tokens', 'token', true],
  ])('%s.%s.%s secret: %s', (schema, table, column, secret) => {
    expect(guard.isSecret(schema, table, column)).toBe(secret)
  })

  test('a pattern may name a table, or a schema and a table', () => {
    const own = createColumnGuard(['patients.name', 'hr.*.salary'], 1000)
    expect(own.isSecret('public', 'patients', 'name')).toBe(true)
    expect(own.isSecret('public', 'doctors', 'name')).toBe(false)
    expect(own.isSecret('hr', 'staff', 'salary')).toBe(true)
    expect(own.isSecret('public', 'staff', 'salary')).toBe(false)
  })

  test('a value above the limit, in bytes, is too large', () => {
    expect(['x'.repeat(1000), 'x'.repeat(1001), 'é'.repeat(501)].map(guard.isTooLarge)).toEqual([false, true, true])
  })

  test('a secret key stays one row’s own without being told', () => {
    const key = guard.key('public', 'invites', { token: 'abc', id: '1' })
    expect(key).toEqual({ id: '1', token: expect.stringMatching(/^sha256:[0-9a-f]{32}$/) })
    expect(guard.key('public', 'invites', key)).toEqual(key)
  })

  test.each([
    ['clew_operators', false],
    ['vault', false],
    ['public', true],
    ['auth', true],
  ])('schema %s is kept at all: %s', (schema, kept) => {
    expect(guard.keepsTable(schema)).toBe(kept)
  })
})
