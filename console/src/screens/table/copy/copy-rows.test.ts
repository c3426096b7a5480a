import { expect, test } from 'vitest'
import { orders, plainColumn } from '../../../../test/answers.ts'
import { rowsText } from './copy-rows.ts'

const columns = [
  { ...plainColumn, name: 'id', identity: 'always' as const },
  { ...plainColumn, name: 'note', type: 'text', baseType: 'text' },
  { ...plainColumn, name: 'paid', type: 'boolean', baseType: 'boolean' },
  { ...plainColumn, name: 'info', type: 'jsonb', baseType: 'jsonb' },
  { ...plainColumn, name: 'twice', generated: true },
  { ...plainColumn, name: 'token', secret: true },
]
const rows = [
  {
    key: { id: '1' },
    values: { id: '9007199254740993', note: `it's "a, b"`, paid: 't', info: '{"a": 1}', twice: '2' },
  },
  { key: { id: '2' }, values: { id: '2', note: '', paid: null, info: null, twice: 'NaN' } },
]

test('rows are copied as JSON of their types, every digit kept', () => {
  const text = rowsText('json', orders, columns, rows)
  expect(text).toContain('"id": 9007199254740993')
  expect(JSON.parse(text)).toEqual([
    { id: Number('9007199254740993'), note: `it's "a, b"`, paid: true, info: { a: 1 }, twice: 2 },
    { id: 2, note: '', paid: null, info: null, twice: 'NaN' },
  ])
})

test('rows are copied as CSV, an empty text told from null', () => {
  expect(rowsText('csv', orders, columns.slice(0, 3), rows)).toBe(
    'id,note,paid\r\n9007199254740993,"it\'s ""a, b""",t\r\n2,"",\r\n',
  )
})

test('what a spreadsheet would take for a formula is copied as a text, a number as it is', () => {
  const notes = ['=1+1', '@sum', '+cmd', '-cmd', '-2', '+2', '\ttab']
  const copied = notes.map((note, index) => ({ key: { id: `${index}` }, values: { note } }))
  expect(rowsText('csv', orders, columns.slice(1, 2), copied)).toBe(
    ['note', "'=1+1", "'@sum", "'+cmd", "'-cmd", '-2', '+2', "'\ttab", ''].join('\r\n'),
  )
})

test('rows are copied as a statement that inserts them, without what PostgreSQL computes', () => {
  expect(rowsText('sql', orders, columns, rows)).toBe(
    `insert into "public"."orders" ("id", "note", "paid", "info") overriding system value values
  ('9007199254740993', 'it''s "a, b"', 't', '{"a": 1}'),
  ('2', '', null, null);`,
  )
})
