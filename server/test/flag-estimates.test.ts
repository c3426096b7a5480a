import fc from 'fast-check'
import { expect } from 'vitest'
import type { FlagCall } from '../src/ground/flags/flags.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { createFlags, flagsService, flagsSettings } from '../src/services/flags/index.ts'
import { consoleApp } from './console-app.ts'
import { test } from './flags-world.ts'
import type { TestDatabase } from './harness.ts'
import { recordedActions } from './operator-actions.ts'

/** Others find others: `CLEW_FUZZ_SEED=7 CLEW_FUZZ_RUNS=500`. */
const seed = Number(process.env.CLEW_FUZZ_SEED ?? 1)
const runs = Number(process.env.CLEW_FUZZ_RUNS ?? 25)

const plan = fc.constantFrom('free', 'pro', 'team')
const byProperty = plan.map((value) => ({ key: 'plan', value }))
const byRow = fc
  .record({ value: plan, operator: fc.constantFrom('exact', 'is_not') })
  .map((one) => ({ ...one, type: 'row', table: 'seats', match: 'owner', column: 'plan' }))
const byList = fc.constantFrom('in', 'not_in').map((operator) => ({ key: 'id', type: 'cohort', value: 1, operator }))
const byFlag = (of: number) =>
  fc
    .record({ key: fc.nat(of - 1).map((index) => `flag-${index}`), value: fc.constantFrom(true, false, 'one') })
    .map((one) => ({ ...one, type: 'flag', operator: 'flag_evaluates_to' }))
const type = fc.constantFrom(null, null, 0, 1)
const share = fc.constantFrom(0, 50, 100)
const flagOf = (index: number) =>
  fc.record({
    active: fc.constantFrom(true, true, true, false),
    keepsBucket: fc.boolean(),
    filters: fc.record({
      groups: fc.array(
        fc.record({
          properties: fc.array(fc.oneof(byProperty, byRow, byList, ...(index === 0 ? [] : [byFlag(index)])), {
            maxLength: 2,
          }),
          rollout_percentage: share,
          variant: fc.constantFrom(null, 'one'),
          aggregation_group_type_index: type,
        }),
        { minLength: 1, maxLength: 3 },
      ),
      multivariate: fc.option(
        fc.constant({
          variants: [
            { key: 'one', rollout_percentage: 50 },
            { key: 'two', rollout_percentage: 50 },
          ],
        }),
      ),
      early_exit: fc.boolean(),
      aggregation_group_type_index: type,
    }),
  })
const flags = fc.tuple(flagOf(0), flagOf(1), flagOf(2))
const persons = fc.array(
  fc.record({
    plan,
    /** Of their user's row; null: they have none. */
    seat: fc.option(plan),
    isUser: fc.boolean(),
    listed: fc.boolean(),
    override: fc.option(fc.constantFrom(true, false, 'two'), { freq: 4 }),
    bucket: fc.option(fc.constantFrom('b1', 'b2'), { freq: 3 }),
  }),
  { minLength: 5, maxLength: 15 },
)

/** Groups of both types, by their numbers. */
const groups = [
  { company: 'acme' },
  { company: 'beta' },
  { company: 'gone' },
  { team: 'red' },
  { team: 'blue' },
] as const

async function storeWorld(db: TestDatabase, all: readonly object[], people: readonly object[]): Promise<void> {
  const run = (text: string, ...values: readonly unknown[]) =>
    db.admin.query({ text, values: values.map((one) => JSON.stringify(one)) })
  await run(
    'truncate clew_flags.flags, clew_flags.cohorts, clew_analytics.persons, public.seats restart identity cascade',
  )
  await run(
    `insert into clew_flags.flags (key, active, keeps_bucket, filters)
     select 'flag-' || (n - 1), (f -> 'active')::boolean, (f -> 'keepsBucket')::boolean, f -> 'filters'
     from jsonb_array_elements($1::jsonb) with ordinality as t (f, n) order by n`,
    all,
  )
  await run(`insert into clew_flags.cohorts (name, filters) values ('listed', null)`)
  await run(
    `with given as (
      select n, p, gen_random_uuid() as id, case when (p -> 'isUser')::boolean then gen_random_uuid() end as user_id
      from jsonb_array_elements($1::jsonb) with ordinality as t (p, n)
    ), persons as (
      insert into clew_analytics.persons (id, properties, created_at, auth_user_id)
      select id, jsonb_build_object('plan', p -> 'plan'), now(), user_id from given
    ), ids as (
      insert into clew_analytics.distinct_ids (distinct_id, person_id)
      select of || n, id from given cross join unnest(array['p', 'q']) of
    ), seats as (
      insert into public.seats (owner, plan) select user_id, p ->> 'seat' from given
      where user_id is not null and p ->> 'seat' is not null
    ), listed as (
      insert into clew_flags.cohort_members (cohort_id, distinct_id) select 1, 'q' || n from given where (p -> 'listed')::boolean
    ), kept as (
      insert into clew_flags.buckets (flag_id, distinct_id, bucket)
      select f.id, of || n, (p ->> 'bucket') || of
      from given cross join unnest(array['p', 'q']) of cross join clew_flags.flags f where p ->> 'bucket' is not null
    )
    insert into clew_flags.overrides (flag_id, distinct_id, value)
    select 3, 'q' || n, p -> 'override' from given where p ->> 'override' is not null`,
    people,
  )
}

const callOf = (distinctId: string, of: Record<string, string>): FlagCall => ({
  ...{ distinctId, anonymousId: null, deviceId: null, groups: of, personProperties: {}, groupProperties: {} },
  ...{ keys: null, runtime: null, contexts: [] },
})

test('an estimate counts what the evaluator answers for each person and group, or says that it is not known', {
  timeout: 120_000,
}, async ({ product: { db, flags: room, console } }) => {
  await db.load('create table seats (owner uuid primary key, plan text)')
  for (const text of [
    `insert into clew_analytics.group_types (type, index, created_at) values ('team', 1, now())`,
    `insert into clew_analytics.groups (type, key, properties, created_at)
     values ('company', 'beta', '{"plan": "pro"}', now()), ('company', 'gone', '{}', now()),
       ('team', 'red', '{"plan": "team"}', now()), ('team', 'blue', '{"plan": "free"}', now())`,
  ])
    await db.admin.query({ text, values: [] })
  const seen = { on: 0, unknown: 0, rows: 0, groups: 0 }

  await fc.assert(
    fc.asyncProperty(flags, persons, async (all, people) => {
      await storeWorld(db, all, people)
      room.inside.cache.changed()
      for (const [index, { filters, active }] of all.entries()) {
        const key = `flag-${index}`
        const { body } = await console('POST', `/flags/${key}/estimate`, {})
        const asks = filters.aggregation_group_type_index
        expect(body.groupType).toBe(asks === null ? null : ['company', 'team'][asks])
        const ofType = groups.filter((one) => Object.keys(one)[0] === body.groupType)
        const names =
          asks === null ? people.map((_, place) => `p${place + 1}`) : ofType.map((one) => String(Object.values(one)[0]))
        expect(body.asked).toBe(names.length)
        // What is set for a person stands above what their group gets.
        const withoutOwnValue = people.flatMap(({ override }, place) => (override === null ? [`p${place + 1}`] : []))

        /** What is answered for each name beside a group of the other type, or to a person. */
        const answers = async (name: string) => {
          const calls =
            asks === null
              ? [{}, ...groups].map((of) => callOf(name, of))
              : [...withoutOwnValue, 'stranger'].map((id) => callOf(id, { [body.groupType]: name }))
          const found = await Promise.all(calls.map((call) => room.evaluate({ ...call, keys: [key] })))
          return found.map(([flag]) => flag?.value)
        }
        const answered = await Promise.all(names.map(answers))
        const certain = names.filter((_, place) => answered[place]?.every((value) => value !== false))
        const off = answered.filter((values) => values.every((value) => value === false)).length
        // Nothing is counted that some call is answered otherwise.
        expect(body.some.filter((name: string) => !certain.includes(name))).toEqual([])
        expect(body.on).toBe(body.some.length)
        expect(body.asked - body.on - body.unknown).toBeLessThanOrEqual(off)
        const text = JSON.stringify(filters)
        const isAlone = !/"type":"(flag|cohort)"|_index":[01]/.test(text)
        if (isAlone || !active) expect([body.on, body.unknown]).toEqual([certain.length, 0])
        if (isAlone && active) {
          const variants = answered.flatMap(([value]) => (typeof value === 'string' ? [value] : []))
          expect(Object.values(body.variants as Record<string, number>).reduce((sum, one) => sum + one, 0)).toBe(
            variants.length,
          )
        }
        seen.on += body.on
        seen.unknown += body.unknown
        if (isAlone && text.includes('"row"')) seen.rows += body.on
        if (asks !== null) seen.groups += body.on
      }
    }),
    { seed, numRuns: runs, endOnFailure: true },
  )
  for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true])
})

test('an estimate of rows reads each table once for a hundred persons, and ends with its time', async ({
  product: { db, store, console, flags: room },
}) => {
  await db.load('create table seats (owner uuid primary key, plan text)')
  const people = Array.from({ length: 250 }, (_, index) => ({
    plan: 'free',
    seat: index % 2 ? 'pro' : 'free',
    isUser: true,
  }))
  await storeWorld(db, [], people)
  const condition = { type: 'row', table: 'seats', match: 'owner', column: 'plan', value: 'pro' }
  await store('paid', { groups: [{ properties: [condition] }] })
  expect((await console('POST', '/flags/paid/estimate', {})).body).toMatchObject({ asked: 250, on: 125, unknown: 0 })
  // A draft asks for rows that no stored flag asks for.
  const draft = { filters: { groups: [{ properties: [{ ...condition, operator: 'is_not' }] }] } }
  expect((await console('POST', '/flags/paid/estimate', draft)).body).toMatchObject({ asked: 250, on: 125, unknown: 0 })

  const questions: string[] = []
  const { deps } = room.inside
  const query: typeof deps.reader.query = (statement) => {
    questions.push(statement.text)
    return deps.reader.query(statement)
  }
  const short = await createFlags({
    ...deps,
    reader: { query },
    settings: { ...readSettings(flagsSettings, []).values, estimateMs: 0 },
  })
  const { actions } = recordedActions('analyst')
  const ask = await consoleApp(async (part) => {
    for (const each of flagsService(short, actions).console) await part.register(each)
  })
  const { body } = await ask('POST', '/flags/paid/estimate', {})
  await short.close()
  // One piece, and an analyst is told of no person.
  expect(body).toMatchObject({ asked: 100, unknown: 0, some: [] })
  expect(questions.filter((text) => text.includes('seats'))).toHaveLength(1)
})

test('of a table that cannot be read nothing is known', async ({ product: { db, store, console } }) => {
  await db.load('create table seats (owner uuid primary key, plan text)')
  await storeWorld(
    db,
    [],
    [
      { plan: 'free', seat: 'pro', isUser: true },
      { plan: 'free', seat: null, isUser: false },
    ],
  )
  await store('paid', {
    groups: [{ properties: [{ type: 'row', table: 'seats', match: 'owner', column: 'plan', value: 'pro' }] }],
  })
  await db.load('drop table seats')
  expect((await console('POST', '/flags/paid/estimate', {})).body).toMatchObject({ asked: 2, on: 0, unknown: 2 })
})
