import { expect, test } from 'vitest'
import { isLoopbackName, matchesPolicyOrigin } from './origins.ts'

test.each([
  ['https://shop.test', 'https://shop.test', true],
  ['https://shop.test:443', 'https://shop.test', true],
  ['https://Shop.test', 'https://shop.test', true],
  ['http://shop.test', 'https://shop.test', false],
  ['https://shop.test:8443', 'https://shop.test', false],
  ['https://shop.test:8443', 'https://shop.test:*', true],
  ['https://a.shop.test', 'https://*.shop.test', true],
  ['https://shop.test', 'https://*.shop.test', false],
  ['https://evilshop.test', 'https://*.shop.test', false],
  ['https://shop.test.evil.example', 'https://shop.test', false],
  ['null', 'https://shop.test', false],
])('%s is named by %s: %s', (origin, pattern, named) => {
  expect(matchesPolicyOrigin(origin, pattern)).toBe(named)
})

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['10.0.0.1', false],
])('%s means this machine: %s', (name, means) => {
  expect(isLoopbackName(name)).toBe(means)
})
