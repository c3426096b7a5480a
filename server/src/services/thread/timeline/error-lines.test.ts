import { expect, test } from 'vitest'
import type { ErrorLine } from '../../../ground/model/session.ts'
import { countErrors, findRepeatedLines } from './error-lines.ts'

const line = (clientMs: number, text: string, windowId: string | null = 'w1'): ErrorLine => ({
  windowId,
  clientMs,
  text,
})

test.each<[string, ErrorLine[], ErrorLine[], number]>([
  [
    'an exception and its line',
    [line(1000, 'Uncaught TypeError: total is undefined')],
    [line(1003, 'total is undefined')],
    1,
  ],
  ['a rejection and its line', [line(1000, 'Uncaught (in promise) Error: no')], [line(1003, 'no')], 1],
  ['an exception of which the console says nothing', [], [line(1003, 'no')], 1],
  ['a line that is no exception', [line(1000, 'could not print')], [], 1],
  ['two of one text at one time', [line(1000, 'Error: no'), line(1001, 'Error: no')], [line(1002, 'no')], 2],
  ['another text at one time', [line(1000, 'could not print')], [line(1002, 'total is undefined')], 2],
  ['one text much later', [line(1000, 'Error: no')], [line(9000, 'no')], 2],
  ['one text in another tab', [line(1000, 'Error: no', 'w2')], [line(1001, 'no')], 2],
  ['one text in a tab that is not known', [line(1000, 'Error: no')], [line(1001, 'no', null)], 1],
  ['an exception without a message', [line(1000, 'Error')], [line(1001, '')], 2],
])('%s', (_, lines, exceptions, expected) => {
  const counted = { console: lines.length, exceptions: exceptions.length, requests: 0 }
  expect(countErrors(lines, exceptions, counted)).toBe(expected)
  expect(countErrors(lines, exceptions, { ...counted, requests: 2 })).toBe(expected + 2)
})

test('each exception takes the line nearest to it', () => {
  const [near, far] = [line(1000, 'Error: no'), line(1500, 'Error: no')]
  expect([...findRepeatedLines([far, near], [line(1001, 'no')])]).toEqual([near])
})
