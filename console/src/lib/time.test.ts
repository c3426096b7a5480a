import { expect, test } from 'vitest'
import { parseOffset } from './time.ts'

test.each([
  ['0:40.8', 40_800],
  ['1:02:03', 3_723_000],
  [' 90 ', 90_000],
  ['12:00', 720_000],
  ['', undefined],
  ['1:2:3:4', undefined],
  ['-1', undefined],
  ['1:xx', undefined],
])('%j is %s ms', (text, expected) => expect(parseOffset(text)).toBe(expected))
