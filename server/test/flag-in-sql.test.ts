import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import pg from 'pg'
import { expect } from 'vitest'
import type { FlagCall } from '../src/ground/flags/flags.ts'
import { test } from './flags-world.ts'
import type { TestDatabase } from './harness.ts'

/** Others find others: `CLEW_FUZZ_SEED=7 CLEW_FUZZ_RUNS=500`. */
const seed = Number(process.env.CLEW_FUZZ_SEED ?? 1)
const runs = Number(process.env.CLEW_FUZZ_RUNS ?? 25)

const callOf = (distinctId: string, groups: Record<string, string> = {}): FlagCall => ({
  ...{ distinctId, anonymousId: null, deviceId: null, groups, personProperties: {}, groupProperties: {} },
  ...{ keys: null, runtime: null, contexts: [] },
})

/** Values that JavaScript and PostgreSQL read, order, write and fold each in their own way. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    'pro',
    'Pro',
    'true',
    'FALSE',
    'null',
    '',
    ' 9 ',
    '10',
    '9',
    '1e3',
    '-.5x',
    '.',
    '1e400',
    '1e-400',
    '1e',
  ),
  fc.constantFrom('ÉTÉ', 'été', 'İ', 'i̇', 'K', 'k', 'ẞ', 'ß', '🚀', '\uffee', 'é', '\u00a07', '%_', '\\'),
  fc.constantFrom(0, 1, 9, 10, 1.5, -3, 1e21, 1e-7, 123456789012345680, 0.1, 5e-324, 1.7976931348623157e308),
  fc.constantFrom(true, false, '1,2', '[1,2]', '{"a":1,"b":[null,"x"]}', '[object Object]'),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
)
const actual: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: value },
  fc.constantFrom('ΟΔΟΣ', 'οδος'),
  fc.constant(null),
  fc.array(fc.oneof(value, fc.constant(null)), { maxLength: 3 }),
  fc.constantFrom({ b: [null, 'x'], a: 1 }, { a: 1 }, {}, { '\uffee': 1, '🚀': 2, a: { '"': '\u0001\n' } }),
)
const answerable = ['exact', 'is_not', 'is_set', 'is_not_set', 'gt', 'gte', 'lt', 'lte'].concat(
  ['icontains', 'icontains_multi', 'starts_with', 'ends_with'].flatMap((name) => [name, `not_${name}`]),
)
const names = ['a', 'b']
const filter = fc.record({
  key: fc.constantFrom(...names),
  operator: fc.constantFrom(...answerable),
  value: fc.oneof({ weight: 3, arbitrary: value }, fc.array(value, { maxLength: 3 })),
  negation: fc.constantFrom(false, false, true),
})
const cohortFilter = fc
  .record({ value: fc.constantFrom(1, 2, 3), operator: fc.constantFrom('in', 'not_in') })
  .map((one) => ({ ...one, key: 'id', type: 'cohort' }))
const flagFilter = (of: number) =>
  fc
    .record({ key: fc.nat(of - 1).map((index) => `flag-${index}`), value: fc.constantFrom(true, false, 'one', 'two') })
    .map((one) => ({ ...one, type: 'flag', operator: 'flag_evaluates_to' }))
const share = fc.constantFrom(0, 10, 33.3, 50, 90, 100)
const group = fc.constantFrom(null, null, null, 0, 1)

const flagOf = (index: number) =>
  fc.record({
    active: fc.constantFrom(true, true, true, false),
    keepsBucket: fc.boolean(),
    filters: fc.record({
      groups: fc.array(
        fc.record({
          properties: fc.array(
            index === 0 ? fc.oneof(filter, cohortFilter) : fc.oneof(filter, filter, cohortFilter, flagFilter(index)),
            { maxLength: 2 },
          ),
          rollout_percentage: fc.option(share),
          variant: fc.constantFrom(null, 'one'),
          aggregation_group_type_index: group,
        }),
        { maxLength: 3 },
      ),
      multivariate: fc.option(
        fc.tuple(share, share).map(([one, two]) => ({
          variants: [
            { key: 'one', rollout_percentage: one / 2 },
            { key: 'two', rollout_percentage: two / 2 },
          ],
        })),
      ),
      holdout: fc.option(fc.record({ id: fc.constant(3), exclusion_percentage: share }), { freq: 6 }),
      early_exit: fc.boolean(),
      feature_enrollment: fc.boolean(),
      aggregation_group_type_index: group,
    }),
  })
const flags = fc.tuple(flagOf(0), flagOf(1), flagOf(2), flagOf(3))
const cohorts = fc.tuple(
  fc.record({
    type: fc.constantFrom('AND', 'OR'),
    values: fc.array(
      fc.oneof(filter, fc.record({ type: fc.constant('OR'), values: fc.array(filter, { maxLength: 2 }) })),
      {
        maxLength: 2,
      },
    ),
  }),
  // It may ask for itself.
  fc.record({ values: fc.array(fc.oneof(filter, cohortFilter), { maxLength: 2 }) }),
  fc.constant(null),
)
const person = fc.record({
  ids: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 2 }),
  properties: fc.dictionary(fc.constantFrom(...names, '$feature_enrollment/flag-1'), actual),
  listed: fc.boolean(),
  bucket: fc.option(fc.string({ minLength: 1, maxLength: 4 })),
  override: fc.option(fc.constantFrom(true, false, 'two'), { freq: 4 }),
  company: fc.constantFrom(undefined, 'acme', 'other'),
})

interface Person {
  readonly ids: readonly string[]
  readonly properties: object
  readonly listed?: boolean
  readonly bucket?: string | null
  readonly override?: unknown
}

/** Stores persons with what is set for them: the list is cohort 3, the value is of flag 3, the bucket of every flag. */
const storePersons = (db: TestDatabase, persons: readonly Person[]) =>
  db.admin.query({
    text: `with given as (
      select gen_random_uuid() as id, p from jsonb_array_elements($1::jsonb) p
    ), persons as (
      insert into clew_analytics.persons (id, properties, created_at) select id, p -> 'properties', now() from given
    ), ids as (
      insert into clew_analytics.distinct_ids (distinct_id, person_id)
      select distinct_id, id from given cross join jsonb_array_elements_text(p -> 'ids') distinct_id
    ), listed as (
      insert into clew_flags.cohort_members (cohort_id, distinct_id)
      select 3, p -> 'ids' ->> 0 from given where (p -> 'listed')::boolean
    ), kept as (
      insert into clew_flags.buckets (flag_id, distinct_id, bucket)
      select f.id, p -> 'ids' ->> 0, p ->> 'bucket' from given cross join clew_flags.flags f where p ->> 'bucket' is not null
    )
    insert into clew_flags.overrides (flag_id, distinct_id, value)
    select 3, distinct_id, p -> 'override'
    from given cross join jsonb_array_elements_text(p -> 'ids') distinct_id where p ->> 'override' is not null`,
    values: [JSON.stringify(persons)],
  })

/** Stores a world anew: definitions with ids from 1 on, and persons with what is set for them. */
async function storeWorld(
  db: TestDatabase,
  [all, sets, persons]: readonly [readonly object[], readonly unknown[], readonly Person[]],
): Promise<void> {
  const run = (text: string, ...values: readonly unknown[]) =>
    db.admin.query({ text, values: values.map((one) => JSON.stringify(one)) })
  await run(`truncate clew_flags.flags, clew_flags.cohorts, clew_analytics.persons restart identity cascade`)
  await run(
    `insert into clew_flags.flags (key, active, keeps_bucket, filters)
     select 'flag-' || (n - 1), (f -> 'active')::boolean, (f -> 'keepsBucket')::boolean, f -> 'filters'
     from jsonb_array_elements($1::jsonb) with ordinality as t (f, n) order by n`,
    all,
  )
  await run(
    `insert into clew_flags.cohorts (name, filters)
     select n, nullif(c, 'null') from jsonb_array_elements($1::jsonb) with ordinality as t (c, n) order by n`,
    sets,
  )
  await storePersons(db, persons)
}

test('clew.flag in SQL answers as /flags does, for random flags and persons', { timeout: 120_000 }, async ({
  product,
}) => {
  const { flags: room, db } = product
  let on = 0
  await fc.assert(
    fc.asyncProperty(flags, cohorts, fc.array(person, { minLength: 3, maxLength: 3 }), async (all, sets, persons) => {
      const distinct = new Set(persons.flatMap(({ ids }) => ids.map((id) => id.trim())))
      fc.pre(distinct.size === persons.flatMap(({ ids }) => ids).length && !distinct.has(''))
      const trimmed = persons.map((one) => ({ ...one, ids: one.ids.map((id) => id.trim()) }))
      await storeWorld(db, [all, sets, trimmed])
      room.inside.cache.changed()
      for (const { ids, company } of [...trimmed, { ids: ['stranger'], company: 'acme' }])
        for (const id of ids) {
          const groups = company === undefined ? {} : { company }
          const theirs = await room.evaluate({ ...callOf(id, groups), keys: all.map((_, n) => `flag-${n}`) })
          const { rows } = await db.admin.query<{ key: string; value: string | null }>({
            text: `select f.key, clew.flag(f.key, $1, $2) as value from clew_flags.flags f order by f.key`,
            values: [id, JSON.stringify(groups)],
          })
          const expected = theirs.map(({ key, value: one }) => ({ key, value: one === false ? null : String(one) }))
          expect({ id, all: rows }).toEqual({ id, all: expected })
          on += rows.filter((row) => row.value !== null).length
        }
    }),
    { seed, numRuns: runs, endOnFailure: true },
  )
  expect(on).toBeGreaterThan(runs)
})

const ana = '0199a1b2-0000-4000-8000-0000000000aa'
const ben = '0199a1b2-0000-4000-8000-0000000000bb'

test('the policy of the guide shows rows to those who have the flag', async ({ product: { db, store } }) => {
  const guide = await readFile(new URL('../../docs/guide/flags.md', import.meta.url), 'utf8')
  const [, policy = ''] = /```sql\n(create table[\s\S]+?)```/.exec(guide) ?? []
  await db.load(`${policy}; insert into reports (title) values ('Sales')`)
  await storePersons(db, [{ ids: [ana], properties: { plan: 'pro' } }])
  await store('reports', { groups: [{ properties: [{ key: 'plan', value: 'pro' }] }] })
  const client = new pg.Client(db.login('authenticator'))
  await client.connect()
  const titles = async (user: string): Promise<unknown> => {
    await client.query('begin; set local role authenticated')
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify({ sub: user })])
    const { rows } = await client.query('select title from reports')
    await client.query('commit')
    return rows
  }
  expect(await titles(ana)).toEqual([{ title: 'Sales' }])
  expect(await titles(ben)).toEqual([])
  await client.end()
})

test('what SQL cannot answer surely is refused for every person, at any depth', async ({ product }) => {
  const { db, store, console } = product
  await db.load('create table plans (user_id uuid primary key, plan text)')
  const byPattern = { key: 'email', operator: 'regex', value: '@example' }
  const { body: cohort } = await console('POST', '/cohorts', {
    name: 'deep',
    filters: { values: [{ values: [byPattern] }] },
  })
  const asks = (...properties: object[]) => ({ groups: [{}, { properties }] })
  const refused: Readonly<Record<string, object>> = {
    pattern: asks(byPattern),
    date: asks({ key: 'since', operator: 'is_date_after', value: '-7d' }),
    version: asks({ key: 'version', operator: 'semver_gt', value: '1.2.3' }),
    sigma: asks({ key: 'word', value: ['x', 'ΟΔΟΣ'] }),
    row: asks({ type: 'row', table: 'plans', column: 'plan', match: 'user_id', value: 'pro' }),
    cohort: asks({ type: 'cohort', value: cohort.id }),
  }
  for (const [key, filters] of Object.entries(refused)) await store(key, filters)
  await store('through', asks({ type: 'flag', key: 'cohort', value: true }))
  await store('device', { groups: [{}] }, { bucketing: 'device_id' })
  await store('off', asks(byPattern), { active: false })
  const codeOf = (key: string) =>
    db.admin.query<{ value: unknown }>({ text: `select clew.flag($1, 'anybody') as value`, values: [key] }).then(
      ({ rows }) => rows[0]?.value,
      (error) => error.code,
    )
  for (const key of [...Object.keys(refused), 'through', 'device'])
    expect([key, await codeOf(key)]).toEqual([key, '0A000'])
  // The first condition of these matches everybody: it is the definition that is refused.
  expect(await codeOf('off')).toBeNull()
  expect(await codeOf('missing')).toBeNull()
})

test('the application’s roles may ask, for nothing else, and with no type or table of their own in between', async ({
  product: { db, store },
}) => {
  await store('all', { groups: [{ properties: [{ key: 'seats', operator: 'gt', value: 2 }] }] })
  await storePersons(db, [{ ids: ['ana'], properties: { seats: '3' } }])
  const client = new pg.Client(db.login('postgres'))
  await client.connect()
  await client.query(`
    create function pg_temp.fall(anything pg_catalog.text) returns pg_catalog.bool language plpgsql
    as $$ begin raise exception 'a type of the caller was used'; end $$;
    create domain pg_temp.jsonb as pg_catalog.jsonb check (pg_temp.fall(value::pg_catalog.text));
    create domain pg_temp.text as pg_catalog.text check (pg_temp.fall(value));
    create domain pg_temp.float8 as pg_catalog.float8 check (pg_temp.fall(value::pg_catalog.text));
    create temporary table flags (like pg_catalog.pg_class)`)
  for (const role of ['postgres', 'anon', 'authenticated', 'service_role']) {
    await client.query(`set role ${role}`)
    const { rows } = await client.query(`select clew.flag('all', 'ana') as ana, clew.flag('all', 'ben') as ben,
      clew.flag('all', null) as nobody`)
    expect(rows).toEqual([{ ana: 'true', ben: null, nobody: null }])
    for (const inside of [`clew_flags.subject_of('ana', '{}')`, `clew_analytics.person_behind('ana')`])
      expect(await client.query(`select ${inside}`).catch((error) => error.code)).toBe('42501')
  }
  await client.end()
})
