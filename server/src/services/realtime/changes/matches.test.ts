import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import type { ColumnFacts } from './facts.ts'
import { matchesAll } from './matches.ts'

const nines = '9'.repeat(100_000)
const numbers = [
  '0',
  '-0.5',
  '0.5',
  '0.50',
  '-7',
  '7',
  '70',
  '9007199254740993',
  '9007199254740992',
  '-9007199254740993',
]
const exact = ['0.12345678901234567890', '0.12345678901234567891', `${nines}1`, `${nines}2`, `-${nines}1`]
const column: ColumnFacts = {
  ...{ name: 'n', type: 'numeric', typeName: 'pg_catalog."numeric"', category: 'N', baseType: 'numeric' },
  ...{ elementType: null, isAsked: false, isKey: false, isIdentity: false, isReadable: true },
}
const columns = new Map([['n', column]])
const holds = (operator: 'lt' | 'eq', one: string, other: string): boolean =>
  matchesAll([{ column: 'n', isNegated: false, operator, values: [other] }], { n: one }, columns)

test('realtime-6 numbers of any length compare as PostgreSQL compares them', async ({ db }) => {
  const all = [...numbers, ...exact]
  const pairs = all.flatMap((one) => all.map((other) => [one, other] as const))
  const { rows } = await db.owner.query<{ is_less: boolean; is_equal: boolean }>({
    text: `select one::numeric < other::numeric as is_less, one::numeric = other::numeric as is_equal
      from rows from (unnest($1::text[]), unnest($2::text[])) with ordinality as t (one, other, place) order by place`,
    values: [pairs.map(([one]) => one), pairs.map(([, other]) => other)],
  })
  expect(pairs.map(([one, other]) => [holds('lt', one, other), holds('eq', one, other)])).toEqual(
    rows.map(({ is_less, is_equal }) => [is_less, is_equal]),
  )
})
