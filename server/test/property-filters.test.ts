import { expect } from 'vitest'
import { compileClickHouse } from '../src/ground/sql/clickhouse.ts'
import { identifier, join, type SqlFragment, sql } from '../src/ground/sql/sql.ts'
import { analyticsTables } from '../src/services/analytics/index.ts'
import { parsePropertyFilter, passesFilter } from '../src/services/analytics/properties/filter.ts'
import { columnOf, rawProperty } from '../src/services/analytics/properties/render.ts'
import { prepareFilter } from '../src/services/flags/evaluate/operators.ts'
import { Properties } from '../src/services/flags/evaluate/properties.ts'
import { test } from './harness.ts'

const texts = [
  ...[
    'Pro',
    'pro',
    'prO team',
    'free',
    '',
    ' ',
    'null',
    '10',
    '9',
    ' 9 ',
    '12px',
    '-.5x',
    '.',
    '1.',
    '+7',
    '0x1',
    '1e3',
  ],
  ...[
    '1e400',
    '-1e400',
    'Infinity',
    'NaN',
    '2026-03-31',
    'ÉTÉ',
    'été',
    'É',
    'ß',
    '🚀',
    'a\0b',
    'x\ny',
    '"',
    '\\',
    '\\n',
  ],
  ...["it's", '%', '_', "') or 1=1 --", '{p0:String}', 'a/b', '[1]', 'n'],
]
const truths = ['true', 'FALSE']
const values = [...texts, ...truths, true, false, null, 0, -0.5, 7, 9, 10, 12.5, 1000, 9007199254740991, 1e-7]
const operators = ['exact', 'is_not', 'icontains', 'not_icontains', 'gt', 'gte', 'lt', 'lte'] as const

test('a filter on events finds what the filter of a flag passes, of all properties and of a column', async ({
  clickhouse,
}) => {
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const column = sql`${identifier(columnOf('a'))} String materialized ${rawProperty('a')}`
  await clickhouse.command(compileClickHouse(sql`alter table events add column ${column}`))
  const stored = [{}, ...values.map((a) => ({ a }))]
  await clickhouse.insert(
    'events',
    stored.map((properties, number) => ({
      uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      ...{ event: 'e', distinct_id: 'ann', properties: JSON.stringify(properties) },
    })),
  )
  /** The numbers of the events that each condition finds. */
  const find = async (conditions: readonly SqlFragment[]): Promise<readonly (readonly number[])[]> => {
    const found = conditions.map((condition) => sql`groupArrayIf(number, ${condition})`)
    const [row] = await clickhouse.query<{ found: readonly (readonly number[])[] }>(
      compileClickHouse(sql`
        select [${join(found)}] as found
        from (select toUInt16(right(toString(uuid), 4)) as number, properties, ${identifier(columnOf('a'))} from events order by uuid)`),
    )
    return row?.found ?? []
  }
  const findBoth = (texts: readonly string[]) =>
    find(
      texts
        .map(parsePropertyFilter)
        .flatMap((filter) => [rawProperty('a'), identifier(columnOf('a'))].map((raw) => passesFilter(raw, filter))),
    )
  const known = (operator: (typeof operators)[number], value: string): readonly number[] => {
    const passes = prepareFilter('a', operator, value)
    return stored.flatMap((properties, number) => (passes?.(new Properties(properties), 0) ? [number] : []))
  }
  const twice = (lists: readonly (readonly number[])[]) => lists.flatMap((list) => [list, list])
  for (const value of [...texts, ...truths]) {
    // Texts of truth are compared as truth by flags when they are equal, and as texts here.
    const asked = truths.includes(value) ? operators.slice(2) : operators
    expect({ value, found: await findBoth(asked.map((operator) => `a.${operator}.${value}`)) }).toEqual({
      value,
      found: twice(asked.map((operator) => known(operator, value))),
    })
  }
  const numbersOf = (...wanted: readonly (typeof values)[number][]) => wanted.map((one) => values.indexOf(one) + 1)
  const all = stored.map((_, number) => number)
  expect(await findBoth(['a.is_set', 'a.is_not_set', 'a.exact.True', 'a.exact.false'])).toEqual(
    twice([all.slice(1), [0], numbersOf('true', true), numbersOf('FALSE', false)]),
  )
})

test('the name of a property in a filter may have dots and percent signs', () => {
  expect(parsePropertyFilter('a%2Eb%252E.gt.1.5')).toEqual({ property: 'a.b%2E', operator: 'gt', value: '1.5' })
})
