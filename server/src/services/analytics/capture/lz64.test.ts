import fc from 'fast-check'
import lzString from 'lz-string'
import { expect, test } from 'vitest'
import { unpackLz64 } from './lz64.ts'

const pack = (text: string): string => lzString.compressToBase64(text)

test('what lz-string packs comes out again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.json()), (text) => {
      expect(unpackLz64(pack(text), 1_000_000)).toEqual({ kind: 'text', text })
    }),
  )
  const long = JSON.stringify(
    Array.from({ length: 2000 }, (_, index) => ({ event: 'viewed', item: index, path: '/a' })),
  )
  expect(unpackLz64(pack(long), long.length)).toEqual({ kind: 'text', text: long })
})

test('what comes to more than the limit is refused while it is read', () => {
  const packed = pack('a'.repeat(300_000))
  expect(packed.length).toBeLessThan(10_000)
  expect(unpackLz64(packed, 100_000)).toEqual({ kind: 'too_large' })
})

test('what is damaged is refused', () => {
  const whole = pack('{"event":"a page was seen","properties":{}}')
  for (const packed of ['', '!', whole.slice(0, -8), `${whole.slice(0, 10)}*${whole.slice(11)}`])
    expect(unpackLz64(packed, 1000)).toEqual({ kind: 'damaged' })
})
