import { expect, test } from 'vitest'
import { readSql } from './sql-pieces.ts'

const sql = `select "from", 'it''s -- no comment' from t1 where a = $1 and b > 2.5 -- the end`

test('the pieces joined are the SQL', () => {
  expect(
    readSql(sql)
      .map(({ text }) => text)
      .join(''),
  ).toBe(sql)
})

test.each([
  ['keyword', ['select', 'from', 'where', 'and']],
  ['string', [`'it''s -- no comment'`]],
  ['parameter', ['$1']],
  ['number', ['2.5']],
  ['comment', ['-- the end']],
] as const)('%s pieces are told apart', (kind, texts) => {
  expect(
    readSql(sql)
      .filter((piece) => piece.kind === kind)
      .map(({ text }) => text),
  ).toEqual(texts)
})
