import { expect, test } from 'vitest'
import { isPreflight, originHeaders, preflightHeaders, requestedHeaders } from './cors.ts'

test.each([
  ['any', { 'access-control-allow-origin': '*' }],
  [
    'requesting',
    {
      'access-control-allow-origin': 'https://a.test',
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    },
  ],
  [['https://b.test'], null],
] as const)('an origin where %s may read', (allowed, headers) => {
  expect(originHeaders(allowed, 'https://a.test')).toEqual(headers)
})

test('a preflight is told what is known', () => {
  expect(preflightHeaders({ methods: 'GET', headers: null, maxAgeSeconds: null })).toEqual({
    'access-control-allow-methods': 'GET',
  })
  expect(preflightHeaders({ methods: 'GET', headers: 'a', maxAgeSeconds: 60 })).toMatchObject({
    'access-control-allow-headers': 'a',
    'access-control-max-age': '60',
  })
})

test('a preflight names an origin and a method', () => {
  const headers = { origin: 'https://a.test', 'access-control-request-method': 'PUT' }
  expect(isPreflight({ method: 'OPTIONS', headers })).toBe(true)
  expect(isPreflight({ method: 'GET', headers })).toBe(false)
  expect(isPreflight({ method: 'OPTIONS', headers: { origin: 'https://a.test' } })).toBe(false)
})

test('header names are taken, anything else is left out', () => {
  expect(requestedHeaders('apikey, x-a ,b c,\r\n')).toEqual(['apikey', 'x-a'])
  expect(requestedHeaders(undefined)).toEqual([])
})
