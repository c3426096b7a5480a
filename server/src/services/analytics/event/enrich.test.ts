import { expect, test } from 'vitest'
import { shortenAddress } from './address.ts'
import { type EnrichContext, enrich } from './enrich.ts'

const context: EnrichContext = { userAgent: null, addresses: 'shorten', place: null, isCookieless: false }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('a server’s own agent says nothing of a visitor, and what implies nothing stays as it was sent', () => {
  const raw = '{ "plan" : "pro" }'
  const enriched = enrich({ plan: 'pro' }, raw, { ...context, userAgent: 'node' })
  expect(enriched).toEqual({ properties: { plan: 'pro' }, added: null, rawJson: raw })
})

test('addresses are dropped or kept as the setting says, and of a visitor without cookies nothing identifying stays', () => {
  const properties = { $ip: '203.0.113.77', $raw_user_agent: firefox, $device_id: 'x', plan: 'pro' }
  const raw = JSON.stringify(properties)
  expect(enrich(properties, raw, { ...context, addresses: 'drop' }).properties).not.toHaveProperty('$ip')
  expect(enrich(properties, raw, { ...context, addresses: 'keep' }).properties.$ip).toBe('203.0.113.77')
  const cookieless = enrich(properties, raw, { ...context, addresses: 'keep', isCookieless: true })
  expect(cookieless).toEqual({ properties: { plan: 'pro' }, added: null, rawJson: null })
})

test.each([
  ['203.0.113.77', '203.0.113.0'],
  ['::ffff:203.0.113.77', '203.0.113.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8::6', '2001:db8:0::'],
  ['::1', '0:0:0::'],
  ['somewhere', null],
])('%s is shortened to %s', (address, expected) => {
  expect(shortenAddress(address)).toBe(expected)
})
