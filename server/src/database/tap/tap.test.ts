import { expect, test } from 'vitest'
import { parseTap } from './tap.ts'

test.each([
  ['all pass', ['1..2', 'ok 1 - one', 'ok 2 - two'], { passed: 2, failed: 0, planned: 2, isGood: true }],
  ['one fails', ['1..2', 'ok 1', 'not ok 2 - two', '# Failed'], { passed: 1, failed: 1, planned: 2, isGood: false }],
  ['fewer than announced', ['1..2', 'ok 1'], { passed: 1, failed: 0, planned: 2, isGood: false }],
  ['more than announced', ['1..1', 'ok 1', 'ok 2'], { passed: 2, failed: 0, planned: 1, isGood: false }],
  ['a plan at the end', ['ok 1', '1..1'], { passed: 1, failed: 0, planned: 1, isGood: true }],
  [
    'a failure that is expected',
    ['1..1', 'not ok 1 - x # TODO later'],
    { passed: 1, failed: 0, planned: 1, isGood: true },
  ],
  ['nothing to run', ['1..0 # SKIP no'], { passed: 0, failed: 0, planned: 0, isGood: true }],
  ['nothing said', [], { passed: 0, failed: 0, planned: null, isGood: false }],
])('%s', (_, lines, expected) => {
  expect(parseTap(lines)).toEqual(expected)
})
