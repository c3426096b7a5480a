import { expect, test } from 'vitest'
import { locateStatements, significantText, splitStatements } from './split.ts'

test.each([
  ['plain', 'select 1; select 2', ['select 1', 'select 2']],
  ['strings and names', `select 'a;''b'; select "x;""y"`, [`select 'a;''b'`, `select "x;""y"`]],
  ['escape strings', `select E'a\\';b'; select 2`, [`select E'a\\';b'`, 'select 2']],
  ['a plain string ends at a backslash', `select 'a\\'; select 2`, [`select 'a\\'`, 'select 2']],
  ['dollar quotes', 'do $x$ begin; $$;$$; end $x$; select $1', ['do $x$ begin; $$;$$; end $x$', 'select $1']],
  ['comments', '-- a; b\nselect 1; /* c; /* d; */ e; */ ;', ['-- a; b\nselect 1']],
  [
    'rules in parentheses',
    'create rule r as on insert to t do (select 1; select 2); select 3',
    ['create rule r as on insert to t do (select 1; select 2)', 'select 3'],
  ],
  [
    'sql bodies',
    'create function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
    ['create function f() returns int begin atomic select case when true then 1 end; select 2; end', 'select 3'],
  ],
  ['an identifier that ends in e before a string', `select name'x;y'; select 2`, [`select name'x;y'`, 'select 2']],
  ['nothing', ' \n-- only this\n;;', []],
])('%s', (_, script, expected) => {
  expect(splitStatements(script)).toEqual(expected)
})

test('a statement knows where it begins', () => {
  const script = 'select 1;\n  -- two\n select 2 ; '
  expect(locateStatements(script).map(({ at, text }) => script.slice(at, at + text.length))).toEqual([
    'select 1',
    '-- two\n select 2',
  ])
})

test.each([
  ['comments and space', 'select 1; -- one\n\nselect /* two */ 2;', 'select 1;select 2'],
  ['not those of strings and names', `select ' --a', "b  ;", $$c -- d$$`, `select' --a',"b  ;",$$c -- d$$`],
  ['a lone sign', 'select 1 - 2 / 3 ; select $1', 'select 1-2/3; select $1'],
])('the significant text leaves out %s', (_, script, same) => {
  expect(significantText(script)).toBe(significantText(same))
})

test('the significant text differs where a string does', () => {
  expect(significantText(`select ' '`)).not.toBe(significantText(`select ''`))
})
