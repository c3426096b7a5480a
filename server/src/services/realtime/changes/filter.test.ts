import { postgresChangesFilter } from '@supabase/realtime-js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FilterProblem, parseFilter } from './filter.ts'

const pieces = fc.constantFrom('a', 'é', ',', '"', '\\', '(', ')', ' ', '.', '=', "'", '%', 'not.', '\n')
const texts = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: pieces, maxLength: 10 }))

test('realtime-6 whatever values a filter of the official client has, they are read back', () => {
  fc.assert(
    fc.property(texts, texts, fc.array(texts, { minLength: 1, maxLength: 4 }), (one, other, list) => {
      const built = postgresChangesFilter().eq('a', one).not('b', 'gte', other).in('c', list).build()
      expect(parseFilter(built)).toEqual([
        { column: 'a', isNegated: false, operator: 'eq', values: [one] },
        { column: 'b', isNegated: true, operator: 'gte', values: [other] },
        { column: 'c', isNegated: false, operator: 'in', values: [...new Set(list)] },
      ])
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['blanks before a name that does not come', `a=eq.1,${' '.repeat(16_000)}x`],
  ['blanks behind a name', `a${' '.repeat(16_000)}x`],
  ['backslashes', `a=in.(${'\\'.repeat(16_000)}`],
  ['brackets', `a=in.${'('.repeat(16_000)}`],
  ['a list of more values than may be', `a=in.(${'1,'.repeat(8000)}1)`],
  ['more than a filter may have', `a=eq.${'x'.repeat(20_000)}`],
])('a filter of %s is refused, however long it is', (_, text) => {
  expect(() => parseFilter(text)).toThrow(FilterProblem)
})
