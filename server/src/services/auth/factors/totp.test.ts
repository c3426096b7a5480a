import { expect, test } from 'vitest'
import { createTotp, matchTotp } from './totp.ts'

/** `12345678901234567890` in base32: the secret of RFC 6238's appendix B. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)

// The last six of the appendix's eight digits.
test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
])('at %d s the code is %s', (seconds, code, step) => {
  expect(matchTotp(secret, code, at(seconds), null)).toBe(step)
})

test.each([
  ['one step late', 59 + 30, null, 1],
  ['one step early', 59 - 30, null, 1],
  ['two steps late', 59 + 60, null, null],
  ['two steps early', 59 - 60 + 30 - 30, null, null],
  ['after an older code', 59, 0, 1],
  ['a second time', 59, 1, null],
  ['after a newer code', 59, 2, null],
] as const)('a code %s', (_, seconds, lastStep, expected) => {
  expect(matchTotp(secret, '287082', at(seconds), lastStep)).toBe(expected)
})

test.each(['', '28708', '2870822', '28708x', ' 287082', '１２３４５６'])('%j is no code', (code) => {
  expect(matchTotp(secret, code, at(59), null)).toBeNull()
})

test('an app gets 160 random bits, as text, as a link and as a picture', () => {
  const { secret: text, uri, qrCode } = createTotp('app.example.com', 'ann@example.com')
  expect(text).toMatch(/^[A-Z2-7]{32}$/)
  expect(text).not.toBe(createTotp('a', 'b').secret)
  const link = new URL(uri)
  expect([link.protocol, link.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(link.pathname)).toBe('/app.example.com:ann@example.com')
  expect(Object.fromEntries(link.searchParams)).toMatchObject({
    issuer: 'app.example.com',
    secret: text,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  expect(qrCode).toMatch(/^<svg [\s\S]*<\/svg>$/)
  // The client puts the picture into a data address as it is: a `#` would end it.
  expect(qrCode).not.toContain('#')
})
