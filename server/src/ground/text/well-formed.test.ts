import { expect, test } from 'vitest'
import { stringifyWellFormed } from './well-formed.ts'

test.each<[unknown, unknown]>([
  ['a\ud800b', 'a\ufffdb'],
  ['\udfff', '\ufffd'],
  ['\\ud800', '\\ud800'],
  ['\\\ud800', '\\\ufffd'],
  [{ '\ud800': ['😀', '\u2028', '\u0000'] }, { '\ufffd': ['😀', '\u2028', '\u0000'] }],
])('%j is rendered without lone surrogates', (value, expected) => {
  const text = stringifyWellFormed(value)
  expect(text).not.toMatch(/(?<!\\)(\\\\)*\\ud[89a-f]/)
  expect(JSON.parse(text)).toEqual(expected)
})
