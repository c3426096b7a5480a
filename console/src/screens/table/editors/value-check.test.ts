import { expect, test } from 'vitest'
import { editorOf, emptyMeans, problemOf } from './value-check.ts'

const of = (baseType: string, maxLength: number | null = null) => ({ baseType, maxLength, labels: null })

test.for([
  ['integer', ['1', '-7', ' 12 ', '0xff', '1_000'], ['', '1.5', 'x', '--1']],
  ['numeric', ['1', '1.50', '.5', '-2e3', 'NaN', 'infinity'], ['', '1,5', 'many']],
  ['uuid', ['0199a1b2-0000-4000-8000-0000000000aa', '0199a1b20000400080000000000000aa'], ['', '0199a1b2']],
  ['jsonb', ['{"a": [1, null]}', '1', '"x"'], ['', '{a: 1}']],
  ['text[]', ['{}', '{a,"b c"}', '[0:1]={a,b}'], ['a,b', '']],
  ['timestamp with time zone', ['now', '2026-01-02 03:04+00'], []],
] satisfies [string, string[], string[]][])(
  '%s: what is plainly wrong is said before it is sent',
  ([type, right, wrong]) => {
    for (const text of right) expect([text, problemOf(of(type), text)]).toEqual([text, null])
    for (const text of wrong) expect([text, problemOf(of(type), text)]).toEqual([text, expect.any(String)])
  },
)

test('a length counts characters, not UTF-16 units', () => {
  expect(problemOf(of('character varying', 2), '😀😀')).toBeNull()
  expect(problemOf(of('character varying', 2), 'abc')).toBe('At most 2 characters.')
})

test('editors follow the type, and nothing typed is null where there is no empty text', () => {
  expect(editorOf({ baseType: 'public.mood', labels: ['calm'] })).toBe('enum')
  expect(editorOf(of('boolean'))).toBe('boolean')
  expect(editorOf(of('json'))).toBe('json')
  expect([emptyMeans(of('text')), emptyMeans(of('extensions.citext')), emptyMeans(of('integer'))]).toEqual([
    '',
    '',
    null,
  ])
})
