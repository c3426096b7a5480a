import { PostHog } from 'posthog-node'
import { expect } from 'vitest'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import {
  createExperiments,
  experimentsService,
  experimentsSettings,
  experimentsTables,
} from '../src/services/experiments/index.ts'
import { consoleApp } from './console-app.ts'
import { test as base, token } from './flags-world.ts'
import { recordedActions } from './operator-actions.ts'

const test = base.extend('world', async ({ product }) => {
  const { db, flags, analytics } = product
  await db.migrate('experiments', experimentsTables.postgres)
  const experiments = createExperiments({
    ...{ sql: db.admin, reader: db.reader, flags, events: analytics.experimentEvents },
    people: { byDistinctId: analytics.personsByDistinctId, byUserId: analytics.personsByUserId },
    ...{ now: () => new Date(), newId: uuidv7 },
    settings: { ...readSettings(experimentsSettings, []).values, maxExperiments: 2, maxPersons: 100 },
  })
  const { actions, log } = recordedActions('developer')
  const console = await consoleApp(async (part) => {
    for (const each of experimentsService(experiments, actions).console) await part.register(each)
  })
  await product.store('button', {
    groups: [{}],
    multivariate: {
      variants: [
        { key: 'control', rollout_percentage: 50 },
        { key: 'test', rollout_percentage: 50 },
      ],
    },
  })
  return { ...product, console, log }
})

const ordered = {
  ...{ name: 'ordered', kind: 'conversion', windowHours: 24 },
  source: { type: 'events', event: 'order', property: null },
}
const spent = { ...ordered, name: 'spent', kind: 'mean', source: { type: 'events', event: 'order', property: 'cents' } }
const body = (...metrics: object[]) => ({ name: 'Button', hypothesis: 'Green sells', flagKey: 'button', metrics })

test('what posthog-node reports of a flag and of orders is the result, with rows of the application beside it', async ({
  world: { url, db, console, analytics, log },
}) => {
  await db.load(`create table tips (user_id uuid, at timestamptz default now(), cents int);
    insert into tips (user_id, cents) values ('00000000-0000-4000-8000-000000000001', 50)`)
  await db.load(
    `insert into tips (user_id, at) values ('00000000-0000-4000-8000-000000000001', now() - interval '1 day')`,
  )
  const tipped = {
    ...{ name: 'tips', kind: 'mean', windowHours: null },
    source: { type: 'rows', table: 'tips', userColumn: 'user_id', timeColumn: 'at', valueColumn: 'cents' },
  }
  const { body: draft, status } = await console('POST', '/experiments', body(ordered, spent, tipped))
  expect([status, draft.state, draft.startedAt]).toEqual([201, 'draft', null])
  expect((await console('GET', `/experiments/${draft.id}/result`)).body).toEqual({ result: null })
  expect((await console('PUT', `/experiments/${draft.id}/running`, { running: true })).body.state).toBe('running')
  const userId = '00000000-0000-4000-8000-000000000001'
  await analytics.linkUser({
    distinctId: 'ana',
    userId,
    profile: async () => ({ email: 'ana@example.com' }),
    at: new Date(),
  })

  const client = new PostHog(token, { host: url, flushAt: 1 })
  const variantOf = new Map<string, unknown>()
  for (const id of ['ana', 'b', 'c', 'd', 'e', 'f']) variantOf.set(id, await client.getFeatureFlag('button', id))
  client.capture({ distinctId: 'ana', event: 'order', properties: { cents: 700 } })
  client.capture({ distinctId: 'ana', event: 'order', properties: { cents: 300 } })
  client.capture({ distinctId: 'b', event: 'order', properties: {} })
  client.capture({ distinctId: 'never shown', event: 'order', properties: {} })
  const both = { $feature_flag: 'button', $feature_flag_response: 'test' }
  client.capture({ distinctId: 'both', event: '$feature_flag_called', properties: both })
  const other = { ...both, $feature_flag_response: 'control' }
  client.capture({ distinctId: 'both', event: '$feature_flag_called', properties: other })
  await client.shutdown()
  // A row of a time after they were shown the button.
  await db.load(`insert into tips (user_id, cents) values ('${userId}', 20)`)

  const result = async () => (await console('GET', `/experiments/${draft.id}/result`)).body.result
  await expect.poll(async () => [(await result()).persons, (await result()).mixed], { timeout: 20_000 }).toEqual([6, 1])
  await expect.poll(async () => (await result()).metrics[0].unattributed, { timeout: 20_000 }).toBe(1)
  const { control, variants, metrics, mismatch } = await result()
  const count = (key: string): number => [...variantOf.values()].filter((value) => value === key).length
  expect(control).toBe('control')
  expect(variants).toEqual([
    { key: 'control', persons: count('control'), expectedShare: 0.5 },
    { key: 'test', persons: count('test'), expectedShare: 0.5 },
  ])
  expect(mismatch).toBeGreaterThan(0.05)
  const sum = (index: number, key: string): number => {
    const { estimate, persons } = metrics[index].variants.find((one: { key: string }) => one.key === key)
    return Math.round(estimate * persons)
  }
  const [anas = '', bens = ''] = [String(variantOf.get('ana')), String(variantOf.get('b'))]
  expect(sum(0, anas) + (anas === bens ? 0 : sum(0, bens))).toBe(2)
  expect(sum(1, anas)).toBe(1_000)
  expect(sum(2, anas)).toBe(20)

  await console('PUT', `/experiments/${draft.id}/conclusion`, { variant: 'test', note: 'It sells' })
  expect((await console('GET', '/experiments')).body.experiments).toMatchObject([
    { state: 'ended', conclusion: { variant: 'test', note: 'It sells' } },
  ])
  expect(log.map(({ name }) => name)).toEqual(['experiment.create', 'experiment.begin', 'experiment.conclude'])
})

test('what cannot be measured is refused, and a flag knows that it is experimented with', async ({
  world: { console, store, ask },
}) => {
  await store('plain', { groups: [{}] })
  for (const flagKey of ['missing', 'plain'])
    expect((await console('POST', '/experiments', { ...body(ordered), flagKey })).body.code).toBe(
      'CLEW_EXPERIMENTS_DEFINITION',
    )
  const rows = { type: 'rows', table: 'missing', userColumn: 'u', timeColumn: 't', valueColumn: null }
  const { body: one } = await console('POST', '/experiments', body({ ...ordered, source: rows }))
  const path = `/experiments/${one.id}`
  const flag = async () => (await ask({ flag_keys: ['button'] })).flags.button?.metadata
  expect(await flag()).toMatchObject({ has_experiment: false })
  await console('PUT', `${path}/running`, { running: true })
  expect(await flag()).toMatchObject({ has_experiment: true })
  expect((await console('GET', `${path}/result`)).body).toMatchObject({
    ...{ code: 'CLEW_EXPERIMENTS_ROWS', message: expect.stringContaining('public.missing') },
  })
  const change = (version: number, experiment: object) => console('PUT', path, { version, experiment })
  expect((await change(1, body(ordered))).body.code).toBe('CLEW_EXPERIMENTS_CHANGED')
  await store('another', {
    groups: [],
    multivariate: {
      variants: [
        { key: 'a', rollout_percentage: 50 },
        { key: 'b', rollout_percentage: 50 },
      ],
    },
  })
  expect((await change(2, { ...body(ordered), flagKey: 'another' })).body.code).toBe('CLEW_EXPERIMENTS_STARTED')
  expect((await change(2, body(ordered))).body).toMatchObject({ version: 3, state: 'running' })

  expect((await console('POST', '/experiments', body(ordered))).status).toBe(201)
  expect((await console('POST', '/experiments', body(ordered))).body.code).toBe('CLEW_EXPERIMENTS_TOO_MANY')
  expect((await console('DELETE', path)).status).toBe(204)
  expect(await flag()).toMatchObject({ has_experiment: false })
  expect((await console('GET', path)).body.code).toBe('CLEW_EXPERIMENTS_NOT_FOUND')
})

test('every event and every row is counted, up to a thousand of one id, however odd its name', async ({
  world: { db, console },
  clickhouseOfFile: clickhouse,
}) => {
  const metric = (name: string, source: object) => ({ name, kind: 'mean', windowHours: null, source })
  const rows = { type: 'rows', table: 'tips', userColumn: 'id', timeColumn: 'at', valueColumn: 'cents' }
  const events = { type: 'events', event: 'order', property: 'cents' }
  const { body: draft } = await console('POST', '/experiments', body(metric('events', events), metric('rows', rows)))
  await console('PUT', `/experiments/${draft.id}/running`, { running: true })
  const startMs = new Date((await console('GET', `/experiments/${draft.id}`)).body.startedAt).getTime()
  const time = new Date(startMs + 1).toISOString()
  const ids = ['tab\tline\nquote"back\\slash', 'ünïcødé', ...Array.from({ length: 50 }, (_, n) => `id ${n}`)]
  const times = ids.map((_, index) => (index === 0 ? 1_200 : 150))
  const event = (name: string, id: string, properties: object) => ({
    ...{ uuid: uuidv7(), event: name, distinct_id: id, properties: JSON.stringify(properties) },
    ...{ timestamp: time, client_time: time, received_at: time },
  })
  await clickhouse.insert('events', [
    ...ids.map((id) => event('$feature_flag_called', id, { $feature_flag: 'button', $feature_flag_response: 'test' })),
    ...ids.flatMap((id, index) => Array.from({ length: times[index] ?? 0 }, () => event('order', id, { cents: 2 }))),
  ])
  await db.load('create table tips (id text, at timestamptz, cents int)')
  await db.admin.query({
    text: `insert into public.tips
      select id, $3::timestamptz, 2
      from unnest($1::text[], $2::int[]) as ids (id, times), generate_series(1, times)`,
    values: [ids, times, time],
  })
  const { persons, metrics } = (await console('GET', `/experiments/${draft.id}/result`)).body.result
  expect(persons).toBe(ids.length)
  for (const { variants, unattributed } of metrics) {
    expect(unattributed).toBe(0)
    expect(variants[1].estimate * ids.length).toBeCloseTo(2 * (1_000 + 150 * (ids.length - 1)), 6)
  }

  // The settings of this test let a hundred ids be counted.
  await db.load(`insert into tips select 'other ' || n, '${time}', 2 from generate_series(1, ${101 - ids.length}) n`)
  expect((await console('GET', `/experiments/${draft.id}/result`)).body.code).toBe('CLEW_EXPERIMENTS_TOO_LARGE')
})
