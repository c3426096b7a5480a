import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
  ['unknown', '127.0.0.1'],
  ['', '127.0.0.1'],
  ["1.2.3.4'; drop table x", '127.0.0.1'],
])('%s is %s', (claimed, address) => expect(clientAddress(claimed, '127.0.0.1')).toBe(address))

test.each(['', undefined])('a connection without an address has the one that is none: %s', (claimed) =>
  expect(clientAddress(claimed, undefined)).toBe('0.0.0.0'),
)
