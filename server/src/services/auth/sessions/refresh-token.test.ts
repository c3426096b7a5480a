import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  createRefreshToken,
  createRefreshTokenKey,
  isSignedWith,
  parseRefreshToken,
  signRefreshToken,
} from './refresh-token.ts'

const sessionId = '0d6bd4c6-9d4f-4d0f-a7e8-5a7a3f5f2a11'
const key = createRefreshTokenKey()

test.each([0, 1, 127, 128, 16_383, 16_384, 2 ** 31, Number.MAX_SAFE_INTEGER])(
  'counter %d is read as it was written',
  (counter) => {
    const token = parseRefreshToken(signRefreshToken(sessionId, counter, key))
    expect(token).toMatchObject({ version: 2, sessionId, counter })
    if (token?.version !== 2) throw new Error('not signed')
    expect(isSignedWith(key, token)).toBe(true)
    expect(isSignedWith(createRefreshTokenKey(), token)).toBe(false)
  },
)

test('a signed token is made of the bytes that the format names', () => {
  const bytes = Buffer.from(signRefreshToken(sessionId, 300, key), 'base64url')
  const signed = Buffer.concat([
    Buffer.of(0),
    Buffer.from(sessionId.replaceAll('-', ''), 'hex'),
    Buffer.of(0b1010_1100, 0b10),
  ])
  const hmac = createHmac('sha256', Buffer.from(key, 'base64url')).update(signed).digest().subarray(0, 16)
  const whole = Buffer.concat([signed, hmac])
  const checksum = createHash('sha256').update(whole).digest().subarray(0, 4)
  expect(bytes).toEqual(Buffer.concat([whole, checksum]))
})

const good = signRefreshToken(sessionId, 5, key)
const reversed = [...good].reverse().join('')
test.each([
  ['a good opaque one', createRefreshToken(), true],
  ['a good signed one', good, true],
  ['nothing', '', false],
  ['eleven letters', 'aaaaaaaaaaa', false],
  ['capital letters', 'AAAAAAAAAAAA', false],
  ['thirteen letters', 'aaaaaaaaaaaaa', false],
  ['a letter changed', `${good.slice(0, 30)}${good[30] === 'A' ? 'B' : 'A'}${good.slice(31)}`, false],
  ['cut', good.slice(0, -1), false],
  ['longer', `${good}AAAA`, false],
  ['turned around', reversed, false],
  ['padded', `${good}=`, false],
  ['very long', 'A'.repeat(100_000), false],
])('%s', (_, text, isOne) => {
  expect(parseRefreshToken(text) !== null).toBe(isOne)
})
