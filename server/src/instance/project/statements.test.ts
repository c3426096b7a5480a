import { expect, test } from 'vitest'
import { placeOf, ScriptError, statementsOf } from './statements.ts'

const texts = async (script: string) => (await statementsOf(script)).map(({ text }) => text)

test.each([
  [
    'comments stay with the statement behind them',
    '-- one\nselect 1;;\n/* ; */ select 2',
    ['-- one\nselect 1', '/* ; */ select 2'],
  ],
  [
    'a semicolon in quotes ends nothing',
    `select ';', $a$ ; $a$; select ";" from t`,
    [`select ';', $a$ ; $a$`, 'select ";" from t'],
  ],
  [
    'nor one in an atomic body',
    'create function f() returns int begin atomic select 1; select 2; end; select 3',
    ['create function f() returns int begin atomic select 1; select 2; end', 'select 3'],
  ],
  [
    'nor one in a rule',
    'create rule r as on insert to t do also (select 1; select 2); select 3',
    ['create rule r as on insert to t do also (select 1; select 2)', 'select 3'],
  ],
  ['characters of several bytes move nothing', `select 'é🙂'; select 'ü'`, [`select 'é🙂'`, `select 'ü'`]],
  ['pg_dump’s lines for psql are no statements', '\\restrict abc\nselect 1;\n\\unrestrict abc\n', ['select 1']],
  ['a file of comments has none', '-- nothing\n', []],
])('%s', async (_, script, expected) => {
  expect(await texts(script)).toEqual(expected)
  for (const { text, offset } of await statementsOf(script))
    expect(script.slice(offset, offset + text.length)).toBe(text)
})

test('a script that is too large to be parsed is split as well', async () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `insert into t values (${n}, ';');`)
  const found = await statementsOf(lines.join('\n'))
  expect(found).toHaveLength(lines.length)
  expect(found.at(-1)).toEqual({ text: lines.at(-1)?.slice(0, -1), offset: lines.slice(0, -1).join('\n').length + 1 })
})

test('what is no SQL is told with its place', async () => {
  const script = `select '🙂';\n  create tabel x ()`
  const error: unknown = await statementsOf(script).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ScriptError)
  if (error instanceof ScriptError) expect(placeOf(script, error.offset)).toBe('2:10')
})
