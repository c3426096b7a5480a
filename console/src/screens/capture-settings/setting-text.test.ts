import { expect, test } from 'vitest'
import { draftOf, selectorProblem, sentOf, shownLines } from './setting-text.ts'

test.each([
  ['list', '["/a{1,2}","/b"]', '/a{1,2}\n/b', '["/a{1,2}","/b"]'],
  ['list', '[]', '', '[]'],
  ['number', '0.25', '0.25', '0.25'],
  ['boolean', 'true', 'true', 'true'],
  ['text', '""', '', null],
  ['text', '"[data-x]"', '[data-x]', '[data-x]'],
] as const)('a %s is typed as it is sent: %s', (kind, json, draft, sent) => {
  expect([draftOf(json), sentOf(kind, draft)]).toEqual([draft, sent])
})

test('empty lines and spaces around items are left out', () => {
  expect(sentOf('list', ' /a \n\n/b\n')).toBe('["/a","/b"]')
})

test.each([
  ['true', null, ['on']],
  ['5000', 'ms', ['5000 ms']],
  ['""', null, ['none']],
  ['[]', null, ['none']],
  ['["/a","/b"]', null, ['/a', '/b']],
] as const)('%s is shown in words', (json, unit, shown) => {
  expect(shownLines(json, unit)).toEqual(shown)
})

test('a selector that no browser reads is told; other texts are not looked at', () => {
  expect(selectorProblem('record_block_selector', '#card, .name > b')).toBeUndefined()
  expect(selectorProblem('record_block_selector', '#card[')).toBe('This is not a CSS selector.')
  expect(selectorProblem('record_linked_flag', '#card[')).toBeUndefined()
})
