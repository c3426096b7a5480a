import { expect, test } from 'vitest'
import { ServiceError } from '../../../../ground/errors/service-error.ts'
import { parseQuery } from './query.ts'
import { canonicalQuery, splitQueryString } from './query-string.ts'

const partsLimit = 2000

const parse = (query: string, mayHaveArgs: boolean) =>
  parseQuery(splitQueryString(query), mayHaveArgs, { queryPartsLimit: partsLimit, embedsLimit: 300 })

const refusal = (query: string): string => {
  try {
    parse(query, false)
  } catch (error) {
    if (error instanceof ServiceError) return `${error.message} ${String(error.details)}`
  }
  return 'accepted'
}

test('a select holds as many embeds as can be read, and no more', () => {
  const embeds = (count: number) => `select=${'books(id),'.repeat(count)}id`
  expect(refusal(embeds(300))).toBe('accepted')
  expect(refusal(embeds(301))).toBe('The query string holds too many embeds A select may hold 300.')
})

test.each([
  ['columns', (count: number) => `select=${'id::text,'.repeat(count - 2)}id`],
  ['plain columns', (count: number) => `select=${'id,'.repeat(count - 2)}id`],
  ['keys of a path', (count: number) => `select=id${'->a'.repeat(count - 2)}`],
  ['conditions', (count: number) => `or=(${'id.eq.1,'.repeat(count - 2)}id.eq.2)`],
  ['conditions in one another', (count: number) => `or=(${'or(id.eq.1),'.repeat((count - 2) / 2)}id.eq.2)`],
  ['filters', (count: number) => 'id=eq.1&'.repeat(count)],
  ['order terms', (count: number) => `order=${'id.desc,'.repeat(count - 2)}id`],
  ['names in columns', (count: number) => `columns=${'id,'.repeat(count - 2)}id`],
  ['names of a path', (count: number) => `${'a.'.repeat(count - 2)}id=eq.1`],
])('of %s a query string may have as many as the limit, and no more', (_, query) => {
  const tooMany =
    'The query string has too many parts Selected columns and embeds, conditions, order terms and names may be 2000 together.'
  expect(refusal(query(partsLimit))).toBe('accepted')
  expect(refusal(query(partsLimit + 2))).toBe(tooMany)
})

test('the values of a list are not counted', () => {
  expect(refusal(`id=in.(${'1,'.repeat(20_000)}1)&name=in.(${'"a,b",'.repeat(5000)}x)`)).toBe('accepted')
  expect(refusal(`or=(id.in.(${'1,'.repeat(20_000)}1))`)).toBe('accepted')
})

test.each([
  [
    'select=id,clients(name[])',
    '"failed to parse select parameter (id,clients(name[]))" (line 1, column 16) unexpected \'[\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
  ],
  [
    'select=data->>--34',
    '"failed to parse select parameter (data->>--34)" (line 1, column 9) unexpected "-" expecting digit',
  ],
  [
    'order=id.ac',
    '"failed to parse order (id.ac)" (line 1, column 4) unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"',
  ],
  [
    'order=id.descc',
    '"failed to parse order (id.descc)" (line 1, column 8) unexpected \'c\' expecting delimiter (.), "," or end of input',
  ],
  [
    'order=id.asc.nlsfst',
    '"failed to parse order (id.asc.nlsfst)" (line 1, column 8) unexpected "l" expecting "nullsfirst" or "nullslast"',
  ],
  [
    'or=()',
    '"failed to parse logic tree (())" (line 1, column 4) unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
  ],
  [
    'or=(id.in.1,2,id.eq.3)',
    '"failed to parse logic tree ((id.in.1,2,id.eq.3))" (line 1, column 10) unexpected "1" expecting "("',
  ],
  ['or=)(', '"failed to parse logic tree ()()" (line 1, column 3) unexpected ")" expecting "("'],
  [
    'and=(ord(id.eq.1,id.eq.1),id.eq.2)',
    '"failed to parse logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))" (line 1, column 7) unexpected "d" expecting "("',
  ],
  [
    'or=(id.eq.1,not.xor(id.eq.2,id.eq.3))',
    '"failed to parse logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))" (line 1, column 16) unexpected "x" expecting logic operator (and, or)',
  ],
  [
    'id=noop.0',
    '"failed to parse filter (noop.0)" (line 1, column 1) unexpected "o" expecting "not" or operator (eq, gt, ...)',
  ],
  [
    'id=is().value',
    '"failed to parse filter (is().value)" (line 1, column 3) unexpected "(" expecting operator (eq, gt, ...)',
  ],
])('%s is refused in the reference’s words', (query, message) => {
  expect(refusal(query)).toBe(message)
})

test('names, paths and values are read apart', () => {
  const query = parse('a.b.c-%3Ex-%3E%3E0=not.in.("x,y",z)&"d.e"=like.*%25&select= id , "a b" &x.limit=2', false)
  expect(query.filters).toEqual([
    {
      path: ['a', 'b'],
      value: {
        kind: 'filter',
        field: {
          name: 'c',
          path: [
            { arrow: '->', kind: 'key', value: 'x' },
            { arrow: '->>', kind: 'index', value: '0' },
          ],
        },
        negated: true,
        operation: { kind: 'in', values: ['x,y', 'z'] },
      },
    },
    {
      path: [],
      value: {
        kind: 'filter',
        field: { name: 'd.e', path: [] },
        negated: false,
        operation: { kind: 'compare', operator: 'like', quantifier: null, value: '*%' },
      },
    },
  ])
  expect(query.select.map((item) => (item.kind === 'field' ? item.field.name : item.name))).toEqual(['id', 'a b'])
  expect(query.ranges).toEqual([{ path: ['x'], value: { limit: 2, offset: 0 } }])
})

test('what does not begin as a filter is an argument of a function', () => {
  const query = parse('a=5&b=eq.1&c=eq&d=notes', true)
  expect(query.args).toEqual([
    ['a', '5'],
    ['c', 'eq'],
    ['d', 'notes'],
  ])
  expect(query.filters).toHaveLength(1)
  expect(() => parse('a=in.x', true)).toThrow('failed to parse filter')
})

test('parameters are sorted, encoded again, and joined by name', () => {
  expect(canonicalQuery('c=eq.3&a=eq.1&b=eq.%C3%A9+x&a=eq.2')).toBe('a=eq.1,eq.2&b=eq.%C3%A9%20x&c=eq.3')
})
