import { expect, test } from 'vitest'
import { compileClickHouse } from './clickhouse.ts'
import { compile } from './postgres.ts'
import { constant, empty, identifier, join, sql, typed } from './sql.ts'

test('values become parameters, names are quoted, pieces compose', () => {
  const where = join([sql`a = ${1}`, sql`b = ${typed('x', 'text')}`], ' and ')
  expect(compile(sql`select ${identifier('s"x', 't')} where ${where}${empty} ${constant('limit 1')}`)).toEqual({
    text: 'select "s""x"."t" where a = $1 and b = $2::text limit 1',
    values: [1, 'x'],
  })
})

test('ClickHouse parameters carry their type', () => {
  expect(
    compileClickHouse(sql`select ${identifier('we`ird')} where a = ${'x'} and b = ${typed([1], 'Array(UInt8)')}`),
  ).toEqual({
    text: 'select `we\\`ird` where a = {p0:String} and b = {p1:Array(UInt8)}',
    parameters: { p0: 'x', p1: [1] },
  })
})

test('a name with NUL is refused', () => {
  expect(() => compile(identifier('a\0b'))).toThrow(TypeError)
})
