import { describe, expect, test } from 'vitest'
import type { FlagDefinition } from '../definition/definition.ts'
import type { Filter, FlagFilters } from '../definition/schema.ts'
import { createEvaluation, type Subject } from './evaluate.ts'
import { bucketHash } from './hash.ts'
import { isOperator, prepareFilter } from './operators.ts'
import { prepare } from './prepare.ts'
import { Properties } from './properties.ts'

const nowMs = Date.UTC(2024, 2, 31, 12)

test.each([
  ['simple-flag', 'distinct_id', '', 0.3457103347480679],
  ['harness-rollout', 'bucket-user-0', '', 0.18181006151944692],
  ['harness-rollout', 'bucket-user-7', '', 0.526779538510616],
  ['harness-variants', 'bucket-user-0', 'variant', 0.5624553940361728],
  ['flag', 'Grüße-🚀', '', 0.32262044253089683],
])('%s falls for %s%s where the published vectors say (analytics §5.2)', (key, bucket, salt, expected) => {
  expect(bucketHash(key, bucket, salt)).toBe(expected)
})

/** Missing stands for a person without the property. */
const missing = Symbol('missing')

test.each<[operator: string, value: unknown, actual: unknown, expected: boolean]>([
  ['exact', 1.5, '1.5', true],
  ['exact', 'true', true, true],
  ['exact', ['true'], 'TRUE', true],
  ['exact', 'true', 1, false],
  ['exact', [], false, false],
  ['exact', '{"a":1,"b":2}', { b: 2, a: 1 }, true],
  ['icontains', '1', [1, 2], true],
  ['icontains', 'object', { toString: 1 }, true],
  ['regex', '', '', true],
  ['is_date_before', '-1m', '2024-02-29T11:59:59Z', true],
  ['is_date_before', '-1m', '2024-02-29T12:00:01Z', false],
  ['is_date_after', '2m', '2024-01-29T12:00:01Z', true],
  ['is_date_before', '1y', '2023-03-31T11:59:59Z', true],
  ['is_date_after', '36h', '2024-03-30T00:00:01Z', true],
  ['semver_eq', '1.2.3', 'v1.2.3-beta', true],
  ['semver_lt', '1.0.0', '01.0.0', false],
  ['semver_caret', '0.0.3', '0.0.3', true],
  ['semver_neq', '1.2.3', 'what', false],
])('%s %j asked of %j is %s (analytics §5.2)', (operator, value, actual, expected) => {
  if (!isOperator(operator)) throw new Error(operator)
  const passes = prepareFilter('p', operator, value)
  expect(passes?.(new Properties(actual === missing ? {} : { p: actual }), nowMs)).toBe(expected)
})

test.each([
  ['regex', '('],
  ['not_regex', '(?=look)'],
  ['regex', 'a'.repeat(501)],
  ['is_date_before', '10000d'],
  ['is_date_after', true],
  ['semver_gt', 'one'],
  ['semver_wildcard', '*'],
] as const)('%s cannot use %s', (operator, value) => {
  expect(prepareFilter('p', operator, value)).toBeNull()
})

test('a pattern whose search would take for ever elsewhere is answered at once', () => {
  const passes = prepareFilter('p', 'regex', '^(a+)+$')
  expect(passes?.(new Properties({ p: `${'a'.repeat(3_000)}!` }), nowMs)).toBe(false)
})

const flag = (key: string, filters: Partial<FlagFilters>, more: Partial<FlagDefinition> = {}): FlagDefinition => ({
  ...{ id: 1, key, description: '', active: true, keepsBucket: false, bucketing: 'distinct_id', runtime: 'all' },
  ...{ contexts: [], hasExperiment: false, version: 1 },
  ...{ filters: { groups: [], ...filters } },
  ...more,
})

const subject = (more: Partial<Subject> = {}): Subject => ({
  ...{ distinctId: 'ada', deviceId: null, groups: {}, personProperties: {}, groupProperties: {} },
  ...{ cohorts: new Set<number>(), overrides: new Map(), buckets: new Map(), rows: new Map() },
  ...more,
})

const groupTypes = new Map([[0, 'company']])

function outcomeIn(
  flags: readonly FlagDefinition[],
  key: string,
  who: Subject,
  cohorts: Parameters<typeof prepare>[1] = [],
) {
  const outcome = createEvaluation(prepare(flags, cohorts), who, { groupTypes, nowMs })(key)
  return outcome && [outcome.value, outcome.reason.code, outcome.reason.conditionIndex]
}

const isPro: Filter = { key: 'plan', value: 'pro' }
const pro = subject({ personProperties: { plan: 'pro' } })
const ab = {
  variants: [
    { key: 'a', rollout_percentage: 50 },
    { key: 'b', rollout_percentage: 50 },
  ],
}

describe('a flag is evaluated in the order of analytics §5.2', () => {
  test.each<[rule: string, flag: FlagDefinition, who: Subject, expected: unknown]>([
    ['off for all', flag('f', { groups: [{}] }, { active: false }), pro, [false, 'flag_disabled', null]],
    [
      'an unknown variant',
      flag('harness-variants', { groups: [{ variant: 'z' }], multivariate: ab }),
      subject({ distinctId: 'bucket-user-0' }),
      ['b', 'condition_match', 0],
    ],
    [
      'no variant hit',
      flag('harness-variants', { groups: [{}], multivariate: { variants: [{ key: 'a', rollout_percentage: 10 }] } }),
      subject({ distinctId: 'bucket-user-0' }),
      [true, 'condition_match', 0],
    ],
    [
      'held out of nothing',
      flag('f', { groups: [{}], holdout: { id: 7, exclusion_percentage: 0 } }),
      pro,
      [true, 'condition_match', 0],
    ],
    [
      'enrolled',
      flag('f', { groups: [], feature_enrollment: true }),
      subject({ personProperties: { '$feature_enrollment/f': true } }),
      [true, 'super_condition_value', 0],
    ],
    [
      'withdrawn',
      flag('f', { groups: [{}], feature_enrollment: true }),
      subject({ personProperties: { '$feature_enrollment/f': false } }),
      [false, 'super_condition_value', 0],
    ],
    ['neither', flag('f', { groups: [{}], feature_enrollment: true }), pro, [true, 'condition_match', 0]],
    [
      'set for the person',
      flag('f', { groups: [] }),
      subject({ overrides: new Map([[1, 'a']]) }),
      ['a', 'super_condition_value', null],
    ],
    [
      'a kept bucket',
      flag('simple-flag', { groups: [{ rollout_percentage: 35 }] }, { keepsBucket: true }),
      subject({ distinctId: 'u2', buckets: new Map([[1, 'distinct_id']]) }),
      [true, 'condition_match', 0],
    ],
    [
      'by device',
      flag('simple-flag', { groups: [{ rollout_percentage: 35 }] }, { bucketing: 'device_id' }),
      subject({ distinctId: 'u2', deviceId: 'distinct_id' }),
      [true, 'condition_match', 0],
    ],
    [
      'a group’s property',
      flag('f', {
        groups: [{ properties: [{ key: 'size', type: 'group', operator: 'gt', value: 5 }] }],
        aggregation_group_type_index: 0,
      }),
      subject({ groups: { company: 'acme' }, groupProperties: { company: { size: 9 } } }),
      [true, 'condition_match', 0],
    ],
    [
      'a group’s bucket',
      flag('simple-flag', { groups: [{ rollout_percentage: 35, aggregation_group_type_index: 0 }] }),
      subject({ groups: { company: 'distinct_id' } }),
      [true, 'condition_match', 0],
    ],
    [
      'an operator that is none',
      flag('f', { groups: [{ properties: [{ ...isPro, operator: 'like' }] }] }),
      pro,
      [false, 'no_condition_match', null],
    ],
  ])('%s', (_rule, one, who, expected) => {
    expect(outcomeIn([one], one.key, who)).toEqual(expected)
  })
})

const asks = (key: string, value: unknown, more: Partial<FlagFilters> = {}) => ({
  groups: [{ properties: [{ type: 'flag' as const, key, value, operator: 'flag_evaluates_to' }] }],
  ...more,
})

test.each<[rule: string, flags: readonly FlagDefinition[], expected: unknown]>([
  ['another that is on', [flag('f', asks('g', true)), flag('g', { groups: [{}] })], [true, 'condition_match', 0]],
  [
    'any variant is on',
    [flag('f', asks('g', true)), flag('g', { groups: [{ variant: 'a' }], multivariate: ab })],
    [true, 'condition_match', 0],
  ],
  [
    'one variant',
    [flag('f', asks('g', 'b')), flag('g', { groups: [{ variant: 'a' }], multivariate: ab })],
    [false, 'no_condition_match', null],
  ],
  [
    'another that is off',
    [flag('f', asks('g', false)), flag('g', {}, { active: false })],
    [true, 'condition_match', 0],
  ],
  ['one that is missing', [flag('f', asks('g', false))], [false, 'missing_dependency', null]],
  ['a circle', [flag('f', asks('g', false)), flag('g', asks('f', false))], [false, 'missing_dependency', null]],
  ['itself', [flag('f', asks('f', false))], [false, 'missing_dependency', null]],
])('a flag asks for %s', (_rule, flags, expected) => {
  expect(outcomeIn(flags, 'f', subject())).toEqual(expected)
})

const inCohort = (id: number, operator = 'in') =>
  flag('f', { groups: [{ properties: [{ type: 'cohort', key: 'id', value: id, operator }] }] })

test('cohorts are properties joined by AND and OR, other cohorts, and lists', () => {
  const cohorts = [
    {
      id: 1,
      name: 'pro, or in Lisbon',
      filters: {
        type: 'OR' as const,
        values: [isPro, { type: 'AND' as const, values: [{ key: 'city', value: 'Lisbon' }] }],
      },
    },
    { id: 2, name: 'a list', filters: null },
    {
      id: 3,
      name: 'not the first',
      filters: { type: 'AND' as const, values: [{ type: 'cohort' as const, value: 1, negation: true }] },
    },
    { id: 4, name: 'everybody', filters: {} },
    {
      id: 5,
      name: 'asks for itself',
      filters: { type: 'OR' as const, values: [{ type: 'cohort' as const, value: 5 }] },
    },
  ]
  const isIn = (id: number, who: Subject, operator?: string) =>
    outcomeIn([inCohort(id, operator)], 'f', who, cohorts)?.[0]
  expect(isIn(1, pro)).toBe(true)
  expect(isIn(1, subject({ personProperties: { city: 'Lisbon' } }))).toBe(true)
  expect(isIn(1, subject())).toBe(false)
  expect(isIn(1, subject(), 'not_in')).toBe(true)
  expect(isIn(2, subject({ cohorts: new Set([2]) }))).toBe(true)
  expect(isIn(2, subject())).toBe(false)
  expect(isIn(3, pro)).toBe(false)
  expect(isIn(3, subject())).toBe(true)
  expect(isIn(4, subject())).toBe(true)
  expect(isIn(5, pro)).toBe(false)
  expect(isIn(9, pro)).toBe(false)
})

test('a row condition compares a column of the user’s row, and fails where the table cannot be read', () => {
  const rowFlag = (operator: string) =>
    flag('f', {
      groups: [
        { properties: [{ type: 'row', table: 'plans', column: 'plan', match: 'user_id', operator, value: 'pro' }] },
      ],
    })
  const target = JSON.stringify(['public', 'plans', 'user_id'])
  const withRow = (row: Record<string, unknown> | null) => subject({ rows: new Map([[target, row]]) })
  expect(outcomeIn([rowFlag('exact')], 'f', withRow({ plan: 'pro' }))?.[0]).toBe(true)
  expect(outcomeIn([rowFlag('is_not')], 'f', withRow({ plan: 'free' }))?.[0]).toBe(true)
  expect(outcomeIn([rowFlag('is_not')], 'f', withRow(null))?.[0]).toBe(false)
  const unread = createEvaluation(prepare([rowFlag('is_not')], []), subject(), { groupTypes, nowMs })('f')
  expect(unread).toMatchObject({ value: false, failed: true })
})

test('a flag’s payload is that of its variant, or of `true`', () => {
  const payloads = { true: '{"on":1}', a: '"A"' }
  const described = (filters: Partial<FlagFilters>) => {
    const prepared = prepare([flag('f', { payloads, ...filters })], [])
    return createEvaluation(prepared, subject(), { groupTypes, nowMs })('f')?.payload
  }
  expect(described({ groups: [{}] })).toBe('{"on":1}')
  expect(described({ groups: [{ variant: 'a' }], multivariate: ab })).toBe('"A"')
  expect(described({ groups: [{ variant: 'b' }], multivariate: ab })).toBeNull()
  expect(described({ groups: [] })).toBeNull()
})
