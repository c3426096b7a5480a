import { expect, test } from 'vitest'
import { renderCsv, renderJson } from './export.ts'

const columns = [
  { name: 'id', type: 'integer' },
  { name: 'id', type: 'text' },
]

test('CSV tells null from an empty text, quotes what needs it, and holds no formulas', () => {
  const rows = [
    ['1', null],
    ['-2', ''],
    ['a "b", c', '=1+1'],
    ['+cmd', '@x'],
  ]
  expect(renderCsv({ columns, rows })).toBe('id,id\r\n1,\r\n-2,""\r\n"a ""b"", c",\'=1+1\r\n\'+cmd,\'@x\r\n')
})

test('JSON loses no column to another of its name', () => {
  expect(JSON.parse(renderJson({ columns, rows: [['1', null]] }))).toEqual([{ id: '1', id_2: null }])
})
