import type { AnalyticsCase, Call, ProjectFlag } from './case.ts'

/** What a flag must come to for somebody. */
interface Outcome {
  readonly enabled: boolean
  readonly code: string
  readonly variant?: string
}

const ask = (key: string, who: object, { enabled, code, variant }: Outcome, more: Partial<Call> = {}): Call => ({
  request: 'POST /flags/?v=2',
  body: { token: '~T', distinct_id: '~ada', flag_keys: [key], ...who },
  holds: { flags: { [key]: { enabled, reason: { code }, ...(variant !== undefined && { variant }) } } },
  ...more,
})

const evaluates = (words: string, flag: ProjectFlag, who: object, outcome: Outcome): AnalyticsCase => ({
  rule: `5.2 ${words}`,
  calls: [ask(flag.key, who, outcome)],
  flags: [flag],
})

const on = { enabled: true, code: 'condition_match' }
const none = { enabled: false, code: 'no_condition_match' }
const out = { enabled: false, code: 'out_of_rollout_bound' }
const isPro = { key: 'plan', value: 'pro' }
const pro = { person_properties: { plan: 'pro' } }
const rollouts = [34, 35, 0].map((percentage) => ({
  ...{ rollout_percentage: percentage, properties: [{ key: 'case', value: `of ${percentage}` }] },
}))
/** 0.3457 for this flag. */
const bucketed = (name: string): object => ({ distinct_id: 'distinct_id', person_properties: { case: name } })
const ab = {
  variants: [
    { key: 'a', rollout_percentage: 50 },
    { key: 'b', rollout_percentage: 50 },
  ],
}
const company = { aggregation_group_type_index: 0 }
const ofGroup = [{ type: 'group', group_type_index: 0, key: 'plan', value: 'enterprise' }]

const order: readonly AnalyticsCase[] = [
  evaluates('without conditions it is off', { key: 'ev-none', filters: { groups: [] } }, {}, none),
  evaluates('an empty condition holds for all', { key: 'ev-all', filters: { groups: [{}] } }, {}, on),
  evaluates(
    'the first condition that holds decides',
    { key: 'ev-first', filters: { groups: [{ properties: [{ key: 'x', value: 1 }] }, { properties: [isPro] }] } },
    pro,
    on,
  ),
  evaluates(
    'all properties of a condition must hold',
    { key: 'ev-both', filters: { groups: [{ properties: [isPro, { key: 'x', value: 1 }] }] } },
    pro,
    none,
  ),
  evaluates(
    'the bucket is within the rollout',
    { key: 'simple-flag', filters: { groups: rollouts } },
    bucketed('of 35'),
    on,
  ),
  { rule: '5.2 the bucket is outside of the rollout', calls: [ask('simple-flag', bucketed('of 34'), out)] },
  { rule: '5.2 a rollout of nothing', calls: [ask('simple-flag', bucketed('of 0'), out)] },
  evaluates(
    'out of one condition’s rollout, a later one may hold',
    { key: 'ev-later', filters: { groups: [{ rollout_percentage: 0 }, {}] } },
    {},
    on,
  ),
  evaluates(
    'with early_exit none may',
    { key: 'ev-exit', filters: { groups: [{ rollout_percentage: 0 }, {}], early_exit: true } },
    {},
    out,
  ),
  evaluates(
    'a variant by the range that the bucket is in',
    { key: 'harness-variants', filters: { groups: [{}], multivariate: ab } },
    { distinct_id: 'bucket-user-0' },
    { ...on, variant: 'b' },
  ),
  evaluates(
    'the variant of a condition',
    { key: 'ev-own', filters: { groups: [{ variant: 'a' }], multivariate: ab } },
    {},
    { ...on, variant: 'a' },
  ),
  evaluates(
    'a holdout stands above the conditions',
    { key: 'ev-held', filters: { groups: [{}], holdout: { id: 7, exclusion_percentage: 100 } } },
    {},
    { enabled: true, code: 'holdout_condition_value', variant: 'holdout-7' },
  ),
  evaluates(
    'a group that is not named',
    { key: 'ev-group', filters: { groups: [{}], ...company } },
    {},
    {
      ...{ enabled: false, code: 'no_group_type' },
    },
  ),
  evaluates(
    'a property of a stored group',
    { key: 'ev-stored-group', filters: { groups: [{ properties: ofGroup }], ...company } },
    { groups: { company: 'acme' } },
    on,
  ),
  {
    rule: '5.2 a property of a group that the call names',
    calls: [
      ask('ev-stored-group', { groups: { company: 'acme' }, group_properties: { company: { plan: 'free' } } }, none),
    ],
  },
  evaluates(
    'by the device',
    { key: 'ev-device', filters: { groups: [{ rollout_percentage: 0 }] }, bucketing: 'device_id' },
    { $device_id: '~dev' },
    out,
  ),
  evaluates(
    'a filter that is turned round',
    { key: 'ev-not', filters: { groups: [{ properties: [{ ...isPro, negation: true }] }] } },
    pro,
    none,
  ),
  evaluates(
    'a flag that asks for another',
    {
      key: 'ev-asks',
      filters: {
        groups: [{ properties: [{ type: 'flag', key: 'ev-all', value: true, operator: 'flag_evaluates_to' }] }],
      },
    },
    {},
    on,
  ),
  evaluates(
    'a cohort',
    {
      key: 'ev-cohort',
      filters: { groups: [{ properties: [{ type: 'cohort', key: 'id', value: 1, operator: 'in' }] }] },
    },
    { person_properties: { city: 'Lisbon' } },
    on,
  ),
  { rule: '5.2 somebody who is not in the cohort', calls: [ask('ev-cohort', {}, none)] },
  {
    rule: '5.2 stored properties are asked, and those of the call stand above them',
    calls: [
      {
        request: 'POST /e/',
        body: {
          api_key: '~T',
          batch: [{ uuid: '~uuid', event: '$set', distinct_id: '~ada', properties: { $set: { plan: 'pro' } } }],
        },
      },
      ask('ev-stored', {}, on, { afterwards: true }),
      ask('ev-stored', { person_properties: { plan: 'free' } }, none),
      ask('ev-stored', { distinct_id: '~bob' }, none),
    ],
    stored: { events: [{}] },
    flags: [{ key: 'ev-stored', filters: { groups: [{ properties: [isPro] }] } }],
  },
  {
    rule: '5.2 the place of the request is a property, unless geoip_disable says otherwise',
    calls: [
      ask('ev-place', {}, on, { headers: { 'x-forwarded-for': '203.0.113.9' } }),
      ask('ev-place', { geoip_disable: true }, none, { headers: { 'x-forwarded-for': '203.0.113.9' } }),
      ask('ev-place', { person_properties: { $geoip_country_code: 'FR' } }, none, {
        headers: { 'x-forwarded-for': '203.0.113.9' },
      }),
    ],
    flags: [{ key: 'ev-place', filters: { groups: [{ properties: [{ key: '$geoip_country_code', value: 'PT' }] }] } }],
  },
]

/** What an operator makes of a value and a property; no property where none is given. */
type OperatorRow = readonly [operator: string, value: unknown, passes: boolean, actual?: unknown]

const operators: readonly OperatorRow[] = [
  ['exact', 'Pro', true, 'pro'],
  ['exact', ['a', 'B'], true, 'b'],
  ['exact', '1', true, 1],
  ['exact', 'true', true, true],
  ['exact', 'false', true, 'yes'],
  ['exact', 'null', true, null],
  ['exact', 'x', false],
  ['is_not', 'x', true],
  ['is_not', ['a', 'b'], true, 'c'],
  ['is_not', 'A', false, 'a'],
  ['is_set', 'is_set', true, null],
  ['is_set', 'is_set', false],
  ['is_not_set', 'is_not_set', true],
  ['is_not_set', 'is_not_set', false, ''],
  ['icontains', 'EXAMPLE', true, 'ada@example.com'],
  ['icontains', 'É', false, 'é'],
  ['not_icontains', 'x', true],
  ['icontains_multi', ['x', 'EX'], true, 'ada@example.com'],
  ['not_icontains_multi', ['x', 'q'], true, 'ada'],
  ['starts_with', 'ADA', true, 'ada@'],
  ['not_starts_with', 'ada', false, 'ada@'],
  ['ends_with', '.COM', true, 'a.com'],
  ['not_ends_with', '.com', true, 'a.org'],
  ['regex', '^a.+z$', true, 'abcz'],
  ['regex', '^A', false, 'abc'],
  ['not_regex', '\\d', true, 'abc'],
  ['not_regex', '\\d', true],
  ['gt', 5, true, '10'],
  ['gt', '5', true, 10],
  ['lt', 'b', true, 'a'],
  ['gte', 1, false, null],
  ['lte', 1, true, 1],
  ['gt', 1, false],
  ['is_date_before', '2024-01-01', true, '2023-12-31T23:59:59Z'],
  ['is_date_after', '2024-01-01T00:00:00', true, '2024-01-01T00:00:01Z'],
  ['is_date_exact', '2024-01-01', true, '2024-01-01T00:00:00.000Z'],
  ['is_date_after', '7d', false, 'not a date'],
  ['is_date_before', '-1d', true, '2024-01-01T00:00:00Z'],
  ['semver_eq', '1.2.3', true, '1.2.3'],
  ['semver_neq', '1.2.3', true, '1.2.4'],
  ['semver_gt', '1.9.0', true, '1.10.0'],
  ['semver_gte', '2', true, '2.0.0'],
  ['semver_lt', '1.0.0', false, '1.0.0'],
  ['semver_lte', '1.2', true, '1.2.0'],
  ['semver_tilde', '1.2.3', true, '1.2.9'],
  ['semver_tilde', '1.2.3', false, '1.3.0'],
  ['semver_caret', '0.2.3', false, '0.3.0'],
  ['semver_caret', '1.2.3', true, '1.9.9'],
  ['semver_wildcard', '1.2.*', true, '1.2.7'],
  ['semver_wildcard', '1.*', false, '2.0.0'],
]

const byOperators: readonly AnalyticsCase[] = operators.map(([operator, value, passes, actual], index) => ({
  rule: `5.2 ${operator} ${JSON.stringify(value)} ${passes ? 'holds' : 'does not hold'} of ${actual === undefined ? 'a missing property' : JSON.stringify(actual)}`,
  calls: [ask(`op-${index}`, { person_properties: { p: actual } }, passes ? on : none)],
  flags: [{ key: `op-${index}`, filters: { groups: [{ properties: [{ key: 'p', operator, value }] }] } }],
}))

/** What flags come to (analytics §5.2). */
export const evaluation: readonly AnalyticsCase[] = [...order, ...byOperators]
