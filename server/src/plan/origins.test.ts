import { expect, test } from 'vitest'
import { isPolicyOrigin } from '../ground/http/origins.ts'
import { originsOf } from './origins.ts'

test('the team’s pages are where the settings say that the application is', () => {
  const addresses = [
    'https://api.test',
    'https://shop.test/app',
    'https://*.preview.test/**',
    'https://shop.test/callback',
    'shop://open',
    'https://*',
    'https://a*b.test/',
  ]
  expect(originsOf(addresses)).toEqual(['https://api.test', 'https://shop.test', 'https://*.preview.test'])
})

test.each([
  ['https://cdn.test', true],
  ['http://cdn.test:8080', true],
  ['https://*.cdn.test', true],
  ['https://cdn.test/', false],
  ['https://*', false],
  ['cdn.test', false],
  ["https://cdn.test; script-src 'unsafe-inline'", false],
])('%s names an origin: %s', (text, names) => {
  expect(isPolicyOrigin(text)).toBe(names)
})
