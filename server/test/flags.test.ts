import { PostHog } from 'posthog-node'
import { expect } from 'vitest'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { flagBody, secret, test, token } from './flags-world.ts'

const all = { groups: [{}] }
const ab = {
  variants: [
    { key: 'a', rollout_percentage: 50 },
    { key: 'b', rollout_percentage: 50 },
  ],
}

test('a flag that was changed has another version', async ({ product }) => {
  const { ask, store, console } = product
  await store('nobody', { groups: [{ rollout_percentage: 0 }] })
  expect((await ask({})).flags.nobody).toMatchObject({ enabled: false, metadata: { version: 1 } })
  const { body: flag } = await console('GET', '/flags/nobody')
  await console('PUT', '/flags/nobody', { ...flagBody(all), version: flag.version })
  expect((await ask({})).flags.nobody).toMatchObject({ enabled: true, metadata: { version: 2 } })
})

test('conditions ask for stored and sent properties, groups, cohorts, lists, other flags and rows', async ({
  product,
}) => {
  const { ask, store, console, analytics, db } = product
  await db.load(`
    create table plans (user_id uuid primary key, plan text, seats int);
    insert into plans values ('00000000-0000-4000-8000-000000000001', 'pro', 3)`)
  const userId = '00000000-0000-4000-8000-000000000001'
  await analytics.linkUser({
    distinctId: 'ada',
    userId,
    profile: async () => ({ email: 'ada@example.com' }),
    at: new Date(),
  })
  const byEmail = { type: 'person', key: 'email', operator: 'ends_with', value: '@example.com' }
  await store('staff', { groups: [{ properties: [byEmail] }] })
  await store('pro', {
    groups: [{ properties: [{ type: 'row', table: 'plans', column: 'plan', match: 'user_id', value: 'pro' }] }],
  })
  await store('big', {
    groups: [
      {
        properties: [{ type: 'group', group_type_index: 0, key: 'plan', value: 'enterprise' }],
        aggregation_group_type_index: 0,
      },
    ],
  })
  await store('after-staff', {
    groups: [{ properties: [{ type: 'flag', key: 'staff', operator: 'flag_evaluates_to', value: true }] }],
  })
  const { id: cohort } = (
    await console('POST', '/cohorts', { name: 'Example', filters: { type: 'OR', values: [byEmail] } })
  ).body
  const { id: list } = (await console('POST', '/cohorts', { name: 'Testers', filters: null })).body
  await store('cohort', { groups: [{ properties: [{ type: 'cohort', key: 'id', value: cohort, operator: 'in' }] }] })
  await store('list', { groups: [{ properties: [{ type: 'cohort', key: 'id', value: list, operator: 'in' }] }] })
  const on = async (body: object) => {
    const answer = await ask(body)
    const { flags } = answer
    return Object.keys(flags).filter((key) => flags[key]?.enabled)
  }
  expect(await on({})).toEqual(['after-staff', 'cohort', 'pro', 'staff'])
  expect(await on({ distinct_id: 'somebody' })).toEqual([])
  expect(await on({ person_properties: { email: 'ada@other.com' } })).toEqual(['pro'])
  expect(await on({ distinct_id: 'x', groups: { company: 'acme' } })).toEqual(['big'])
  const evaluated = async (groups: object) =>
    (await console('POST', '/flags/big/evaluate', { distinctId: 'x', groups })).body.value
  expect([await evaluated({ company: 'acme' }), await evaluated({ company: 'other' })]).toEqual([true, false])
  expect(
    await on({ distinct_id: 'x', groups: { company: 'other' }, group_properties: { company: { plan: 'enterprise' } } }),
  ).toEqual(['big'])

  await console('POST', `/cohorts/${list}/members`, { distinctIds: ['x', 'y'] })
  expect(await on({ distinct_id: 'x' })).toEqual(['list'])
  expect((await console('POST', `/cohorts/${list}/members`, { distinctIds: ['1', '2', '3'] })).body.code).toBe(
    'CLEW_FLAGS_TOO_MANY',
  )
  expect((await console('GET', `/cohorts/${list}/members?limit=1`)).body).toEqual({ distinctIds: ['x'], next: 'x' })
  await console('POST', `/cohorts/${list}/members/remove`, { distinctIds: ['x'] })
  expect(await on({ distinct_id: 'x' })).toEqual([])
  expect((await console('DELETE', `/cohorts/${list}`)).body.code).toBe('CLEW_FLAGS_IN_USE')

  await console('PUT', '/flags/pro/overrides', { distinctId: 'x', value: true })
  expect(await on({ distinct_id: 'x' })).toEqual(['pro'])
  expect((await console('GET', '/flags/pro/overrides')).body).toEqual({ overrides: [{ distinctId: 'x', value: true }] })
  await console('PUT', '/flags/pro/overrides', { distinctId: 'x', value: null })
  expect((await console('GET', '/flags/pro/overrides')).body).toEqual({ overrides: [] })
  expect((await console('PUT', '/flags/pro/overrides', { distinctId: 'x', value: 'z' })).status).toBe(400)
  expect(await on({ distinct_id: 'x' })).toEqual([])

  await db.load('drop table plans')
  const answer = await ask({})
  expect(answer.errorsWhileComputingFlags).toBe(true)
  expect(answer.flags.pro).toMatchObject({ failed: true, enabled: false })
  expect(answer.flags.staff).not.toHaveProperty('failed')
})

test('a flag that keeps its value gives a person what their browser had before they identified themselves', async ({
  product,
}) => {
  const { ask, store, flags, db } = product
  await store('half', { groups: [{ rollout_percentage: 50 }] }, { keepsBucket: true })
  await store('plain', { groups: [{ rollout_percentage: 50 }] })
  const value = async (body: object, key = 'half') => (await ask(body)).flags[key]?.enabled
  for (let n = 0; n < 12; n += 1) {
    const before = await value({ distinct_id: `anonymous-${n}` })
    expect(await value({ distinct_id: `user-${n}`, $anon_distinct_id: `anonymous-${n}` })).toBe(before)
    expect(await value({ distinct_id: `user-${n}` })).toBe(before)
    expect(await value({ distinct_id: `user-${n}`, $anon_distinct_id: 'another browser' })).toBe(before)
  }
  const kept = 'select distinct_id from clew_flags.buckets order by 1'
  const before = await value({ distinct_id: 'anonymous-0' })
  const refused = { distinct_id: 'refused', $anon_distinct_id: 'anonymous-0' }
  expect(await value(refused)).toBe(before)
  const longAgo = new Date('2026-01-01').getTime()
  await flags.forget(['user-3'], { receivedMs: longAgo, happenedMs: longAgo })
  await flags.forget(['user-1', 'anonymous-2'], { receivedMs: Date.now() + 60_000, happenedMs: 0 })
  const { rows } = await db.admin.query<{ distinct_id: string }>({ text: kept, values: [] })
  expect(rows).toHaveLength(10)
  for (const gone of ['refused', 'user-1', 'user-2'])
    expect(rows.map(({ distinct_id }) => distinct_id)).not.toContain(gone)
  const plain = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => [
      await value({ distinct_id: `anonymous-${n}` }, 'plain'),
      await value({ distinct_id: `user-${n}` }, 'plain'),
    ]),
  )
  expect(plain.some(([before, after]) => before !== after)).toBe(true)
})

test('posthog-node evaluates here and there alike, and reads payloads', async ({ product }) => {
  const { url, store, console } = product
  await store('colour', {
    groups: [{ properties: [{ key: 'plan', value: 'pro' }], variant: 'b' }, { rollout_percentage: 50 }],
    multivariate: ab,
    payloads: { b: '{"n":1}' },
  })
  await store('config', { ...all, payloads: { true: '{"limit":5}' } })
  const { id } = (
    await console('POST', '/cohorts', {
      name: 'Pro',
      filters: { type: 'AND', values: [{ key: 'plan', value: 'pro' }] },
    })
  ).body
  await store('cohort', { groups: [{ properties: [{ type: 'cohort', key: 'id', value: id, operator: 'in' }] }] })
  await store('kept', all, { keepsBucket: true })
  const remote = new PostHog(token, { host: url })
  const local = new PostHog(token, { host: url, personalApiKey: secret, featureFlagsPollingInterval: 3_600_000 })
  await local.reloadFeatureFlags()
  expect(local.isLocalEvaluationReady()).toBe(true)
  for (let n = 0; n < 20; n += 1) {
    const options = { personProperties: { plan: n % 2 === 0 ? 'pro' : 'free' }, sendFeatureFlagEvents: false }
    const there = await remote.getAllFlags(`person-${n}`, options)
    expect(Object.keys(there)).toHaveLength(4)
    expect(await local.getAllFlags(`person-${n}`, { ...options, onlyEvaluateLocally: true })).toEqual({
      ...{ colour: there.colour, config: there.config, cohort: there.cohort },
    })
    // What only the server can evaluate is asked of it.
    expect(await local.getAllFlags(`person-${n}`, options)).toEqual(there)
  }
  expect(await remote.getFeatureFlagPayload('colour', 'ada', undefined, { personProperties: { plan: 'pro' } })).toEqual(
    { n: 1 },
  )
  expect(await local.getRemoteConfigPayload('config')).toEqual({ limit: 5 })
  await Promise.all([remote.shutdown(), local.shutdown()])

  const definitions = (headers: Record<string, string> = {}, path = '/flags/definitions') =>
    fetch(`${url}${path}?token=${token}&send_cohorts`, { headers: { authorization: `Bearer ${secret}`, ...headers } })
  const first = await definitions()
  const etag = first.headers.get('etag') ?? ''
  expect(await first.json()).toMatchObject({ group_type_mapping: { 0: 'company' }, cohorts: { [id]: { type: 'AND' } } })
  expect((await definitions({ 'if-none-match': etag })).status).toBe(304)
  expect((await definitions({ 'if-none-match': etag }, '/api/feature_flag/local_evaluation')).status).toBe(304)
  await store('another', all)
  expect((await definitions({ 'if-none-match': etag })).status).toBe(200)
  const config = (path: string, key = secret) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  expect((await config('/api/projects/@current/feature_flags/config/remote_config', 'phx_other')).status).toBe(401)
  expect((await config('/api/projects/@current/feature_flags/missing/remote_config')).status).toBe(404)
})

test('a change by another process, or by SQL, is answered from then on', async ({ product }) => {
  const { ask, store, db } = product
  await store('switch', all)
  expect((await ask({})).flags.switch?.enabled).toBe(true)
  await db.admin.query({ text: `update clew_flags.flags set filters = '{"groups": []}'`, values: [] })
  await expect.poll(async () => (await ask({})).flags.switch?.enabled).toBe(false)
  await db.admin.query({ text: `update clew_flags.flags set filters = '{"groups": "all"}'`, values: [] })
  await expect.poll(async () => (await ask({})).flags).toEqual({})
})

test('the console keeps a history, refuses what cannot be evaluated, and tells who would get a flag', async ({
  product,
}) => {
  const { console, store, log, analytics, db } = product
  const key = 'checkout'
  const flag = await store(key, all)
  expect((await console('POST', '/flags', { ...flagBody(all), key })).body.code).toBe('CLEW_FLAGS_KEY_TAKEN')
  const change = { ...flagBody({ groups: [{ rollout_percentage: 10 }] }), version: flag.version }
  expect((await console('PUT', `/flags/${key}`, change)).body).toMatchObject({ version: 2 })
  expect((await console('PUT', `/flags/${key}`, change)).body).toMatchObject({
    ...{ code: 'CLEW_FLAGS_CHANGED', message: expect.stringMatching(/ changed the flag meanwhile, at .+ UTC\.$/) },
  })
  await store('user', { groups: [{ properties: [{ type: 'flag', key, value: true }] }] })

  const asks = (...properties: object[]) => ({ groups: [{ properties }] })
  await db.load('create table unindexed (owner uuid, plan text)')
  const refused: readonly object[] = [
    asks({ key: 'a', operator: 'like', value: 1 }),
    asks({ key: 'a', operator: 'regex', value: '(' }),
    asks({ key: 'a', operator: 'is_date_after', value: 'soon' }),
    asks({ value: 1 }),
    { groups: [{ rollout_percentage: 101 }] },
    { groups: 'all' },
    asks({ type: 'cohort', value: 99 }),
    asks({ type: 'flag', key: 'missing', value: true }),
    asks({ type: 'flag', key: 'user', value: true }),
    asks({ type: 'row', table: 'missing', column: 'plan', match: 'owner', value: 'x' }),
    asks({ type: 'row', table: 'unindexed', column: 'plan', match: 'owner', value: 'x' }),
    { groups: [{ variant: 'z' }] },
    { groups: [], payloads: { true: '{' } },
    { groups: [], payloads: { z: '1' } },
    {
      groups: [],
      multivariate: {
        variants: [
          { key: 'a', rollout_percentage: 60 },
          { key: 'b', rollout_percentage: 60 },
        ],
      },
    },
  ]
  for (const filters of refused)
    expect([filters, (await console('PUT', `/flags/${key}`, { ...flagBody(filters), version: 2 })).body.code]).toEqual([
      filters,
      'CLEW_FLAGS_DEFINITION',
    ])

  for (const [id, email] of [
    ['u1', 'a@x.com'],
    ['u2', 'b@x.com'],
    ['u3', 'c@y.com'],
  ] as const)
    await analytics.linkUser({ distinctId: id, userId: uuidv7(), profile: async () => ({ email }), at: new Date() })
  const filters = asks({ key: 'email', operator: 'ends_with', value: '@x.com' })
  expect((await console('POST', `/flags/${key}/estimate`, { filters })).body).toEqual({
    groupType: null,
    asked: 3,
    on: 2,
    unknown: 0,
    variants: {},
    some: expect.arrayContaining(['u1', 'u2']),
  })
  expect(
    (await console('POST', `/flags/${key}/evaluate`, { distinctId: 'u3', draft: { filters } })).body,
  ).toMatchObject({
    ...{ value: false, code: 'no_condition_match', isKnown: true, properties: { email: 'c@y.com' } },
  })
  expect((await console('POST', `/flags/${key}/evaluate`, { distinctId: 'nobody' })).body).toMatchObject({
    isKnown: false,
  })

  const inside = { type: 'OR', values: [{ key: 'email', operator: 'ends_with', value: '@x.com' }] }
  expect((await console('POST', '/cohorts/estimate', { filters: inside })).body).toEqual({
    ...{ persons: 3, inside: 2, some: expect.arrayContaining(['u1', 'u2']) },
  })
  expect((await console('POST', '/cohorts/estimate', { filters: { type: 'NOR' } })).status).toBe(400)

  const odd = [
    7,
    'x',
    { values: 7 },
    { values: [7] },
    { values: [{ key: 1 }] },
    { type: 'NOR' },
    { values: [{ type: 'row' }] },
  ]
  for (const one of odd) expect((await console('POST', '/cohorts', { name: 'odd', filters: one })).status).toBe(400)
  expect((await console('GET', '/flags')).body.flags).toMatchObject([
    { key, rollout: 10, conditions: 1, isTargeted: false },
    { key: 'user', rollout: 100, isTargeted: true },
  ])
  expect((await console('GET', `/flags/${key}/changes`)).body).toMatchObject({
    changes: [{ version: 2, changed: ['filters'] }, { version: 1 }],
    next: null,
  })
  expect((await console('DELETE', `/flags/${key}`)).body.code).toBe('CLEW_FLAGS_IN_USE')
  expect((await console('DELETE', '/flags/user')).status).toBe(204)
  expect((await console('DELETE', `/flags/${key}`)).status).toBe(204)
  expect((await console('GET', `/flags/${key}`)).body.code).toBe('CLEW_FLAGS_NOT_FOUND')
  await store(key, all)
  expect(log.map(({ name }) => name)).toContain('flag.archive')
})

test('of two who change one cohort at once one does, and the other is told', async ({ product: { console } }) => {
  const filters = { type: 'OR', values: [{ key: 'plan', value: 'pro' }] }
  const { id } = (await console('POST', '/cohorts', { name: 'Staff', filters })).body
  const find = async () =>
    (await console('GET', '/cohorts')).body.cohorts.find((cohort: { readonly id: number }) => cohort.id === id)
  for (let round = 0; round < 10; round += 1) {
    const { updatedAt: replaces } = await find()
    const change = (name: string) => console('PUT', `/cohorts/${id}`, { name, filters, replaces })
    const answers = await Promise.all([change(`Ann ${round}`), change(`Bob ${round}`)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      ...{
        code: 'CLEW_FLAGS_COHORT_CHANGED',
        message: expect.stringMatching(/ changed the cohort meanwhile, at .+ UTC\.$/),
      },
    })
  }
  const { updatedAt: replaces } = await find()
  expect(await console('PUT', `/cohorts/${id}`, { name: 'A list', filters: null, replaces })).toMatchObject({
    ...{ status: 400, body: { code: 'CLEW_FLAGS_DEFINITION' } },
  })
})
