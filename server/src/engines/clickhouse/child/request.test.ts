import { expect, test } from 'vitest'
import { holdsSeveral, parseRawInsert, parseRequest, renderPreparation } from './request.ts'

const parse = (url: string, body = '') => parseRequest(url, Buffer.from(body), null)

test('the query string holds settings, bound parameters and the interface’s own names', () => {
  expect(
    parse('/?query_id=q&database=clew&max_threads=1&param_p0=a%5Ctb&wait_end_of_query=1', 'select {p0:String}'),
  ).toEqual({
    queryId: 'q',
    database: 'clew',
    settings: { max_threads: '1' },
    parameters: { p0: 'a\\tb' },
    text: 'select {p0:String}',
    data: null,
    access: 'read',
    goesFirst: false,
    streamed: false,
    compressed: false,
    defaultFormat: 'TabSeparated',
  })
})

test.each([
  ['select 1', 'read'],
  ['  -- why\n/* and how */ WITH 1 as a select a', 'read'],
  ['(select 1) union all (select 2)', 'read'],
  ['show tables', 'read'],
  ['insert into a select 1', 'write'],
  ['create table a (b Int8) engine = Memory', 'write'],
  ['kill query where 1', 'control'],
] as const)('%j has the access %s', (text, access) => {
  expect(parse('/', text).access).toBe(access)
})

test.each([
  ['select 1 format JSONEachRow', '', true],
  ['select 1 FORMAT JSONCompactEachRow ;', '', true],
  ['select 1 format JSONEachRow', '?wait_end_of_query=1', false],
  // Formats with a head and a foot are whole or nothing.
  ['select 1 format JSON', '', false],
  ['select 1', '', false],
  ['insert into a select 1 format JSONEachRow', '', false],
])('%j with %j is streamed: %s', (text, search, streamed) => {
  expect(parse(`/${search}`, text).streamed).toBe(streamed)
})

test.each([
  ['insert into t format JSONEachRow', { table: 't', columns: null, format: 'JSONEachRow' }],
  ['INSERT INTO `db`.`t` (a, `b`) FORMAT CSV\n', { table: 'db.t', columns: ['a', 'b'], format: 'CSV' }],
  ['insert into t values (1)', null],
  ['insert into t select 1 format JSONEachRow', null],
  ['select 1 format JSONEachRow', null],
])('the rows of %j stand in the body: %j', (text, expected) => {
  expect(parseRawInsert(text)).toEqual(expected)
})

test('rows stay bytes, apart from their statement; other bodies go on with the statement', () => {
  const rows = parse('/?query=insert+into+t+format+JSONEachRow', '{"a":1}')
  expect(rows).toMatchObject({
    text: 'insert into t format JSONEachRow',
    data: Buffer.from('{"a":1}'),
    access: 'write',
  })
  expect(parse('/?query=insert+into+t+values', '(1)')).toMatchObject({ text: 'insert into t values\n(1)', data: null })
})

test('a form carries the statement and parameters too long for a URL', () => {
  const form = { query: 'select {p0:String}', param_p0: 'x' }
  expect(parseRequest('/?query_id=q', Buffer.alloc(0), form)).toMatchObject({
    text: 'select {p0:String}',
    parameters: { p0: 'x' },
  })
})

test('what is set before a statement is quoted', () => {
  expect(renderPreparation({ database: 'a`b', settings: { max_threads: '1' }, parameters: { p0: "it's \\n" } })).toBe(
    "SET max_threads = '1', param_p0 = 'it\\'s \\\\n'; USE `a\\`b`; ",
  )
  expect(renderPreparation({ database: 'default', settings: {}, parameters: {} })).toBe('')
  expect(() => renderPreparation({ database: null, settings: { 'a = 1; drop': '1' }, parameters: {} })).toThrow(
    TypeError,
  )
})

test.each([
  ['select 1; select 2', true],
  ['select 1; -- done\n; drop table t', true],
  ["select ';', 'it''s \\'; ', `a;b`, \"c;d\" /* e; f */ -- g; h", false],
  ['select 1 ; \n', false],
  ['select 1;;', false],
])('%j holds several statements: %s', (text, several) => {
  expect(holdsSeveral(text)).toBe(several)
})
