import { expect, test } from 'vitest'
import { parseCsv } from './csv.ts'

const rowsOf = (text: string): unknown => JSON.parse(parseCsv(text).json)

test.each([
  ['a line names the columns', 'a,b\n1,2', [{ a: '1', b: '2' }]],
  ['a line may end as on Windows', 'a,b\r\n1,2\r\n', [{ a: '1', b: '2' }]],
  ['quotes hold commas, lines and quotes', 'a,b\n"1,2","x\n""y"""', [{ a: '1,2', b: 'x\n"y"' }]],
  ['an empty field is text, NULL is null', 'a,b\n,NULL', [{ a: '', b: null }]],
  ['a comma at the end is a field', 'a,b\n1,', [{ a: '1', b: '' }]],
  ['a header alone is no row', 'a,b\n', []],
])('%s', (_rule, text, rows) => {
  expect(rowsOf(text)).toEqual(rows)
})

test.each([
  ['a quote that is not closed', 'a\n"1'],
  ['text behind a quote', 'a\n"1"2'],
  ['a quote within text', 'a\n1"2'],
  ['a line of another length', 'a,b\n1'],
  ['nothing', ''],
])('%s is refused', (_rule, text) => {
  expect(() => parseCsv(text)).toThrow(expect.objectContaining({ code: 'PGRST102' }))
})

test('a field may be as large as a body', () => {
  const large = 'x""'.repeat(2_000_000)
  expect(rowsOf(`a,b\n"${large}",${'y'.repeat(5_000_000)}`)).toEqual([
    { a: 'x"'.repeat(2_000_000), b: 'y'.repeat(5_000_000) },
  ])
})
