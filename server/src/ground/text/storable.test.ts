import { expect, test } from 'vitest'
import { storableText } from './storable.ts'

test.each([
  ['plain', 100, 'plain'],
  ['a\0b\0', 100, 'ab'],
  ['a\ud800b\udfff', 100, 'a\ufffdb\ufffd'],
  ['whole 😀', 100, 'whole 😀'],
  ['cut in half 😀', 13, 'cut in half \ufffd'],
])('%j, cut at %i, is kept as %j', (text, longest, kept) => {
  expect(storableText(text, longest)).toBe(kept)
})
