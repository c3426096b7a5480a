import { expect, test } from 'vitest'
import { plainColumn } from '../../../../test/answers.ts'
import { completionsOf, filterLabel, filtersText, readTyped } from './filter-text.ts'

const columns = [
  { ...plainColumn, name: 'status', baseType: 'public.state', labels: ['paid', 'open', 'past'] },
  { ...plainColumn, name: 'total', baseType: 'numeric' },
  { ...plainColumn, name: 'a.dotted, one', baseType: 'text' },
]

test.each([
  ['status=eq.paid&total=gt.100', ['status.eq.paid', 'total.gt.100']],
  [' status=not.in.(paid,open) ', ['status.not.in.(paid,open)']],
  ['total=lt(any).{1,2}', ['total.lt(any).{1,2}']],
  ['status=fts(english).a%26b', ['status.fts(english).a&b']],
  ['a.dotted, one=ilike.*x=y*', ['a.dotted, one.ilike.*x=y*']],
  [
    'or=(status.eq.paid,total.gt.100)&not.and=(total.gt.1)',
    ['or.(status.eq.paid,total.gt.100)', 'not.and.(total.gt.1)'],
  ],
  ['status=eq.', ['status.eq.']],
  ['', []],
])('%s is read as its filters, and written as it was typed', (text, filters) => {
  expect(readTyped(text, columns)).toEqual({ kind: 'filters', filters })
  expect(filtersText(filters, columns)).toBe(text.trim())
})

test.each([
  ['statsu=eq.paid', 'There is no column “statsu”; did you mean “status”.'],
  ['nothing=eq.paid', 'There is no column “nothing”.'],
  [
    'total=equals.5',
    'There is no operator “equals”: total=eq.equals.5, or another one of eq, neq, gt, gte, lt, lte, ilike, like, in, is.',
  ],
  ['total=gt', '“total=gt” has no value: total=gt.value.'],
  ['total=gt.5&paid', '“paid” has no “=”: column=operator.value, such as status=eq.1.'],
])('of %s it is said what is wrong', (text, problem) => {
  expect(readTyped(text, columns)).toEqual({ kind: 'problem', problem })
})

test('a text alone is looked for in all columns', () => {
  expect(readTyped(' paid ', columns)).toEqual({ kind: 'search', text: 'paid' })
})

test.each([
  ['status.eq.paid', 'status = paid'],
  ['total.not.gte.5', 'total not ≥ 5'],
  ['total.lt(any).{1,2}', 'total < (any) {1,2}'],
  ['a.dotted, one.like.x.y', 'a.dotted, one like x.y'],
  ['or.(total.gt.1,total.lt.0)', 'or (total.gt.1,total.lt.0)'],
])('%s is read in a chip as %s', (filter, label) => {
  expect(filterLabel(filter, columns)).toBe(label)
})

test('a column, its operator and its values are completed, those that begin so first', () => {
  const texts = (text: string) => completionsOf(text, columns).map((one) => one.text)
  expect(texts('t')).toEqual(['total=', 'status=', 'a.dotted, one='])
  expect(texts('total=gt.5&status=not.e')).toEqual(['total=gt.5&status=not.eq.'])
  expect(texts('status=eq.pa')).toEqual(['status=eq.paid', 'status=eq.past'])
  expect(texts('total=is.n')).toEqual(['total=is.null', 'total=is.not_null'])
  expect(texts('total=eq.5')).toEqual([])
})
