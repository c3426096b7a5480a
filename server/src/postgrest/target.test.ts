import { expect, test } from 'vitest'
import { routableTarget } from './target.ts'

test.each([
  ['/books?id=eq.%ZZ', '/books?id=eq.%ZZ'],
  ['/b%C3%BCcher%2F1', '/b%C3%BCcher%2F1'],
  ['http://shop.test/books?a=b', '/books?a=b'],
  ['http://shop.test', '/'],
  ['HTTPS://shop.test:443?a=b', '/?a=b'],
  ['/auth%ZZors%', '/auth%25ZZors%25'],
  ['/auth%FFors%C3%BC?a=%FF', '/auth%EF%BF%BDors%C3%BC?a=%FF'],
  ['*', '/*'],
])('%s is routed as %s', (target, routed) => expect(routableTarget(target)).toBe(routed))
