import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonTexts } from '../../../test/json-texts.ts'
import { JsonScanner } from './json-scan.ts'

/** Whether the whole text is one value that is taken. */
function takes(text: string, depth = 100): boolean {
  const bytes = Buffer.from(text)
  const scanner = new JsonScanner(bytes, 0, depth)
  return scanner.value() && scanner.next() === 0 && scanner.at === bytes.length
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('JSON read in place', () => {
  test.each(['{}', '[ ]', ' {"a" : [1, -0.5e+7, "x\\n\\u00e9", true, null] } ', '"\\""', '0', '[[],{}]'])(
    '%s is taken',
    (text) => {
      expect([takes(text), isJson(text)]).toEqual([true, true])
    },
  )

  test.each([
    '',
    '[1,]',
    '{,}',
    '{"a"}',
    '{"a":1,}',
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '+1',
    'tru',
    'truex',
    '"',
    '"\\x"',
    '[1 2]',
    '[}',
    '"\\u12g4"',
    '{a:1}',
    '1 1',
    '"\t"',
  ])('%s is refused', (text) => {
    expect([takes(text), isJson(text)]).toEqual([false, false])
  })

  test.each([
    ['a line break between the tokens', '[1,\n2]'],
    ['half of a surrogate pair', '"\\ud800"'],
    ['half of one in capitals', '"\\uDFFF"'],
  ])('%s is left to the parser', (_title, text) => {
    expect([takes(text), isJson(text)]).toEqual([false, true])
  })

  test('nesting is bounded', () => {
    expect([takes('[[[]]]', 3), takes('[[[]]]', 2), takes('[[],[]]', 2)]).toEqual([true, false, true])
  })

  test('a text is taken where JSON.parse takes it, and nowhere else', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        expect(takes(text, 1000)).toBe(isJson(text))
      }),
      { numRuns: 3000 },
    )
  })

  test('members and elements are visited where they stand', () => {
    const text = '{"a":[10, 20],"long name":{"b":3}}'
    const scanner = new JsonScanner(Buffer.from(text), 0, 10)
    const names: string[] = []
    const numbers: number[] = []
    const visited = scanner.object((start, end) => {
      names.push(text.slice(start, end))
      if (!scanner.isName(start, end, Buffer.from('a'))) return scanner.value()
      return scanner.array(() => {
        numbers.push(scanner.wholeNumber())
        return true
      })
    })
    expect([visited, names, numbers, scanner.at]).toEqual([true, ['a', 'long name'], [10, 20], text.length])
  })
})
