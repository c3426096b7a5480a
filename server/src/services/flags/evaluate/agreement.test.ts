import fc from 'fast-check'
import { PostHog } from 'posthog-node'
import { expect, test, vi } from 'vitest'
import type { FlagDefinition } from '../definition/definition.ts'
import type { CohortGroup, Filter } from '../definition/schema.ts'
import { renderDefinitions } from '../stored/local.ts'
import { createEvaluation } from './evaluate.ts'
import { operators } from './operators.ts'
import { prepare } from './prepare.ts'
import { findProblem } from './problems.ts'

/** Others find others: `CLEW_FUZZ_SEED=7 CLEW_FUZZ_RUNS=5000`. */
const seed = Number(process.env.CLEW_FUZZ_SEED ?? 1)
const runs = Number(process.env.CLEW_FUZZ_RUNS ?? 200)

const names = ['a', 'b', 'c', 'when', 'version']
const scalar = fc.oneof(
  fc.constantFrom('pro', 'Pro', 'x', 'true', 'False', 'null', '', '10', '9', '1.2.3', '1.2.9', '2', 'abc-1', 'É'),
  fc.constantFrom(0, 1, 9, 10, 1.5, -3),
  fc.boolean(),
  fc.constantFrom('2024-01-01', '2025-06-01T10:00:00Z', '2020-02-29T00:00:00+02:00'),
)
const actual = fc.oneof(scalar, fc.constant(null), fc.array(scalar, { maxLength: 2 }))
/** Whatever is stored as a filter: the client leaves many of them to the server. */
const filter: fc.Arbitrary<Filter> = fc
  .record({
    key: fc.constantFrom(...names),
    operator: fc.constantFrom(...Object.keys(operators)),
    value: fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 3 }),
      fc.constantFrom('-7d', '3m', '2y', '1.*', '1.2.*', '^a', '[a-z]+\\d', '(', '^.*o$'),
    ),
  })
  .map((one) => ({ ...one, type: 'person' as const }))
  .filter((one) => findProblem({ groups: [{ properties: [one] }] }) === null)
/** Filters that the client decides for every person of the test. */
const plainFilter: fc.Arbitrary<Filter> = fc
  .record({
    key: fc.constantFrom('s', 't'),
    operator: fc.constantFrom(
      'exact',
      'is_not',
      'icontains',
      'not_icontains',
      'starts_with',
      'regex',
      'gt',
      'lte',
      'is_set',
    ),
    value: fc.constantFrom('x', 'Pro', 'o$', '10', 'true'),
  })
  .map((one) => ({ ...one, type: 'person' as const }))
const percentage = fc.constantFrom(0, 10, 25, 33.3, 50, 90, 100)
const cohortOf = (filters: fc.Arbitrary<Filter>): fc.Arbitrary<CohortGroup> =>
  fc.record({
    type: fc.constantFrom('AND' as const, 'OR' as const),
    values: fc.array(
      fc.record({ one: filters, negation: fc.boolean() }).map(({ one, negation }) => ({ ...one, negation })),
      { maxLength: 2 },
    ),
  })
const cohortFilter = (id: number): fc.Arbitrary<Filter> =>
  fc.constantFrom('in', 'not_in').map((operator): Filter => ({ type: 'cohort', key: 'id', value: id, operator }))
const flagFilter = (key: string): fc.Arbitrary<Filter> =>
  fc
    .constantFrom(true, false, 'one', 'two')
    .map((value): Filter => ({ type: 'flag', key, value, operator: 'flag_evaluates_to' }))

const flagOf = (filters: readonly fc.Arbitrary<Filter>[], mostConditions: number) =>
  fc.record({
    groups: fc.array(
      fc.record({
        properties: fc.array(fc.oneof(...filters), { maxLength: 2 }),
        rollout_percentage: fc.option(percentage),
        variant: fc.constantFrom(null, 'one', 'missing'),
      }),
      { maxLength: mostConditions },
    ),
    multivariate: fc.option(
      fc.record({
        variants: fc.tuple(percentage, percentage).map(([one, two]) => [
          { key: 'one', rollout_percentage: one / 2 },
          { key: 'two', rollout_percentage: two / 2 },
        ]),
      }),
    ),
    holdout: fc.option(fc.record({ id: fc.constant(3), exclusion_percentage: percentage }), { freq: 6 }),
    early_exit: fc.boolean(),
    payloads: fc.constant({ true: '{"n":1}', one: '"first"' }),
    aggregation_group_type_index: fc.constantFrom(null, null, null, 0),
  })

// A client that cannot decide one condition goes on with the next, and may come to a variant that the server would not
// choose: filters that it may not decide stand in flags of one condition.
const flags: fc.Arbitrary<readonly FlagDefinition[]> = fc
  .tuple(
    flagOf([plainFilter, cohortFilter(1)], 3),
    flagOf([plainFilter, cohortFilter(1), flagFilter('flag-0')], 3),
    flagOf([filter, filter, filter, cohortFilter(2), flagFilter('flag-1')], 1),
    flagOf([filter], 1),
  )
  .chain((all) =>
    fc.array(fc.constantFrom(true, true, true, false), { minLength: 4, maxLength: 4 }).map((active) =>
      all.map((one, index) => ({
        ...{ id: index + 1, key: `flag-${index}`, description: '', active: active[index] ?? true, filters: one },
        ...{ keepsBucket: false, bucketing: 'distinct_id' as const, runtime: 'all' as const },
        ...{ contexts: [], hasExperiment: false, version: 1 },
      })),
    ),
  )
const text = fc.constantFrom('x', 'pro', 'PRO', 'foo', '9', '10', 'true')
const person = fc.record({
  id: fc.string({ minLength: 1, maxLength: 8 }),
  properties: fc
    .tuple(fc.record({ s: text, t: text }), fc.dictionary(fc.constantFrom(...names), actual))
    .map(([plain, wild]) => ({ ...wild, ...plain })),
})

const groupTypes = new Map([[0, 'company']])

test('posthog-node evaluates as we do, given our definitions, wherever it can', async () => {
  // The client warns of each flag that only the server can evaluate.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  let definitions = ''
  const client = new PostHog('phc_agreement', {
    host: 'http://localhost',
    personalApiKey: 'sb_secret_test',
    featureFlagsPollingInterval: 3_600_000,
    // Only definitions are ever asked for: a call that is not decided here stays undecided.
    fetch: async () => new Response(definitions, { status: 200, headers: { 'content-type': 'application/json' } }),
  })
  let decided = 0
  let asked = 0
  await fc.assert(
    fc.asyncProperty(
      flags,
      fc.tuple(cohortOf(plainFilter), cohortOf(filter)),
      fc.array(person, { minLength: 4, maxLength: 4 }),
      async (all, sets, persons) => {
        const cohorts = sets.map((one, index) => ({ id: index + 1, name: '', filters: one }))
        definitions = renderDefinitions({ flags: all.map(asRow), cohorts }, groupTypes, new Set()).body
        await client.reloadFeatureFlags()
        const prepared = prepare(all, cohorts)
        for (const { id, properties } of persons) {
          const groups = { company: `company of ${id}` }
          const theirs = await client.getAllFlags(id, {
            ...{ groups, personProperties: properties as Record<string, string> },
            ...{ groupProperties: { company: properties as Record<string, string> }, onlyEvaluateLocally: true },
          })
          const outcomeOf = createEvaluation(
            prepared,
            {
              ...{ distinctId: id, deviceId: null, groups, personProperties: { distinct_id: id, ...properties } },
              groupProperties: { company: { $group_key: groups.company, ...properties } },
              ...{ cohorts: new Set(), overrides: new Map(), buckets: new Map(), rows: new Map() },
            },
            { groupTypes, nowMs: Date.now() },
          )
          asked += all.length
          for (const [key, value] of Object.entries(theirs)) {
            decided += 1
            expect([key, outcomeOf(key)?.value]).toEqual([key, value])
          }
        }
      },
    ),
    { seed, numRuns: runs },
  )
  await client.shutdown()
  // Most are decided locally: the others miss a property, or hold a value that only a server can read.
  expect(decided).toBeGreaterThan(asked / 2)
})

const asRow = (flag: FlagDefinition) => ({
  ...flag,
  ...{ earlyAccess: null, createdAt: new Date(0), updatedAt: new Date(0), updatedBy: '' },
})
