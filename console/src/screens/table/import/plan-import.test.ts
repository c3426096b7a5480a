import { expect, test } from 'vitest'
import { plainColumn } from '../../../../test/answers.ts'
import { guessOptions, problemsOf, renderImport } from './plan-import.ts'
import { readCsv } from './read-csv.ts'

const table = {
  columns: [
    { ...plainColumn, name: 'id', identity: 'by default' as const },
    { ...plainColumn, name: 'full_name', type: 'text', baseType: 'text' },
    { ...plainColumn, name: 'price', type: 'numeric', baseType: 'numeric', nullable: true },
    { ...plainColumn, name: 'twice', generated: true },
  ],
}
const fileOf = (text: string) => readCsv(new File([text], 'wares.csv'))
const textOf = (blob: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsText(blob)
  })
const bodyOf = async (body: Blob) =>
  (await textOf(body))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

test('a file is read with its line numbers, through quotes, line breaks and empty lines', async () => {
  const file = await fileOf('name;price\r\n"a ""b""\nc";1.5\r\n\r\nd;\r\n')
  expect(file).toEqual({
    ...{ name: 'wares.csv', width: 2 },
    rows: [
      { line: 1, values: ['name', 'price'] },
      { line: 2, values: ['a "b"\nc', '1.5'] },
      { line: 5, values: ['d', ''] },
    ],
  })
  await expect(fileOf('a,b\n"open,1\n')).rejects.toThrow(/^Line 2: /)
})

test('columns are found by their names, or taken in their order', async () => {
  expect(guessOptions(await fileOf('Price,Full Name,other\n1,a,b\n'), table)).toEqual({
    ...{ hasNames: true, emptyIsNull: true },
    targets: ['price', 'full_name', null],
  })
  expect(guessOptions(await fileOf('1,a\n2,b\n'), table)).toMatchObject({
    ...{ hasNames: false, targets: ['id', 'full_name'] },
  })
})

test('what is missing, chosen twice or of the wrong type is said before', async () => {
  const file = await fileOf('price\n1\ncheap\n')
  expect(problemsOf(file, table, guessOptions(file, table))).toEqual([
    'full_name must be set, and no column of the file is for it.',
    'Line 3, price: A number, such as 4.20.',
  ])
  const options = { hasNames: false, emptyIsNull: true, targets: ['full_name', 'full_name'] }
  expect(problemsOf(await fileOf('a,b\n'), table, options)).toEqual(['full_name is chosen twice.'])
})

test('rows are sent with the chosen columns; an empty field is null or an empty text', async () => {
  const file = await fileOf('full_name,x,price\na,b,\n,,2\n')
  const options = guessOptions(file, table)
  const { columns, body } = renderImport(file, options)
  expect(columns).toEqual(['full_name', 'price'])
  expect(await bodyOf(body)).toEqual([
    [2, 'a', null],
    [3, null, '2'],
  ])
  expect((await bodyOf(renderImport(file, { ...options, emptyIsNull: false }).body))[0]).toEqual([2, 'a', ''])
})
