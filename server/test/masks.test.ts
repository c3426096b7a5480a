import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect } from 'vitest'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { type SpoolSettings, spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import type { MaskedStore } from '../src/ground/privacy/masks.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { analyticsSettings, analyticsTables, capturePlugin, createAnalytics } from '../src/services/analytics/index.ts'
import { createIssues, issuesSettings, issuesTables } from '../src/services/issues/index.ts'
import {
  createMasks,
  createPrivacy,
  type PrivacyDeps,
  privacyService,
  privacySettings,
  privacyTables,
} from '../src/services/privacy/index.ts'
import { createReplay, replaySettings, replayTables } from '../src/services/replay/index.ts'
import { consoleApp } from './console-app.ts'
import { test as base, type TestDatabase } from './harness.ts'
import { recordedActions } from './operator-actions.ts'
import { refusedRowsIn } from './refused-rows.ts'
import { tablesWith } from './tables-with.ts'
import { openWorld } from './thread-world.ts'

const token = 'phc_masks'
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const test = base.extend('world', async ({ db, clickhouse }, { onCleanup }) => {
  const { close, ...world } = await openMasked(db, clickhouse)
  onCleanup(close)
  return world
})

type World = Omit<Awaited<ReturnType<typeof openMasked>>, 'close'>

/** Everything that keeps data of people, with the masks of the database. */
async function openMasked(db: TestDatabase, clickhouse: ClickHouse) {
  for (const tables of [analyticsTables, issuesTables, privacyTables]) await db.migrate(tables.name, tables.postgres)
  for (const tables of [analyticsTables, issuesTables, replayTables])
    await clickhouse.migrate(tables.name, tables.clickhouse)
  await db.load(
    `create table users (id int primary key, email text, city text, constraint one unique (email));
     alter table users replica identity full`,
  )
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-masks-'))
  const threads = createThreads()
  const refused = refusedRowsIn(spoolDir)
  const spool: SpoolSettings = { ...readSettings(spoolSettings, []).values, batchMs: 20 }
  const masks = createMasks(db.admin)
  const shared = {
    ...{ sql: db.admin, clickhouse, spoolDir, spoolSettings: spool, refused, threads, masks },
    ...{ now: () => new Date(), newId: uuidv7, log: silent },
  }
  const recordings = createReplay({ clickhouse, settings: readSettings(replaySettings, []).values })
  const issues = await createIssues({ ...shared, settings: readSettings(issuesSettings, []).values })
  const analytics = await createAnalytics({
    ...{ ...shared, recordings, exceptions: issues.exceptions, ingestTokens: [token], isSecretKey: () => false },
    settings: readSettings(analyticsSettings, []).values,
  })
  const { thread, call } = await openWorld(db, clickhouse, { masks })
  const app = Fastify()
  await app.register(capturePlugin(analytics), { prefix: '/ingest' })
  const opened: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const closeOne of opened) await closeOne()
    await app.close()
    await analytics.close()
    await issues.close()
    await thread.close()
    await threads.close()
    await rm(spoolDir, { recursive: true, force: true })
  }
  const stores = [
    ...[...analytics.maskedStores, ...thread.maskedStores, ...issues.maskedStores],
    recordings.maskedStore,
  ]
  return {
    ...{ call, thread, app, db },
    where: (text: string) => tablesWith(db, clickhouse, text),
    /** One process's masks, and its jobs where they are started. */
    open(given: Partial<PrivacyDeps> = {}) {
      const settings = readSettings(privacySettings, []).values
      const privacy = createPrivacy({
        ...{ ...shared, stores, settings, settleMs: 20, consentRequired: false },
        propertyNames: analytics.propertyNames,
        ...given,
      })
      opened.push(privacy.close)
      return privacy
    },
    close,
  }
}

/** What a visitor leaves in every store that knows their e-mail address. */
async function visit({ app, call, thread, db }: World, email: string, row: number): Promise<void> {
  const session = uuidv7()
  const url = `https://shop.test/welcome?email=${email}&page=2`
  const own = { distinct_id: `visitor-${row}`, $session_id: session, $window_id: session, $lib: 'web' }
  const capture = async (event: string, properties: object): Promise<void> => {
    const payload = { api_key: token, event, uuid: uuidv7(), properties: { ...own, $current_url: url, ...properties } }
    expect((await app.inject({ method: 'POST', url: '/ingest/e/', payload })).statusCode).toBe(200)
  }
  await capture('$pageview', {
    email,
    plan: 'pro',
    $set: { email, plan: 'pro' },
    $set_once: { $initial_current_url: url },
  })
  await capture('signed up', { email: { work: [email] }, $elements_chain: `a:href="/x?email=${email}"text="Go"` })
  await capture('$groupidentify', { $group_type: 'company', $group_key: `${row}`, $group_set: { email, size: 3 } })
  await capture('$exception', { $exception_list: [{ type: 'Error', value: `GET ${url} failed` }] })
  const at = Date.now()
  const request = { name: 'https://api.test/x', requestBody: `{"email":{"a":"${email}"}}`, responseBody: 'ok' }
  const recorded = [
    { type: 4, data: { href: url, width: 1, height: 1 }, timestamp: at },
    { type: 6, data: { plugin: 'rrweb/network@1', payload: { requests: [request] } }, timestamp: at + 1 },
    { type: 3, data: 'compressed', cv: '2024-10', timestamp: at + 2 },
  ]
  const message = { event: '$snapshot', properties: { ...own, token, $snapshot_data: recorded } }
  expect((await app.inject({ method: 'POST', url: '/ingest/s/', payload: [message] })).statusCode).toBe(200)
  // A statement of the data API has its values beside its text, this helper's have not.
  await db.load(`insert into users values (${row}, '${email}', 'Ulm')`)
  await db.load(`update users set email = 'x${email}' where id = ${row}`)
  await call('select 1', { path: '/rest/v1/users', method: 'PATCH', query: `id=eq.${row}&email=eq.${email}` })
  const query = `select=id,email&or=(email.eq.${email},id.eq.1)&orders.email=like.${email}*&city=eq.Ulm`
  await call('select 1', { path: '/rest/v1/users', method: 'GET', query })
  await thread.flush()
}

const everywhere = [
  'changes',
  'clew_analytics.groups',
  'clew_analytics.persons',
  'clew_issues.issues',
  'events',
  'exceptions',
  'requests',
  'snapshots',
]

test('what is masked is stored masked from the moment that it is set, and the past by a job', {
  timeout: 120_000,
}, async ({ world, clickhouse }) => {
  await visit(world, 'before@secret.test', 1)
  await expect.poll(() => world.where('before@secret.test'), { timeout: 30_000 }).toEqual(everywhere)

  const privacy = world.open()
  const { actions, log } = recordedActions('owner')
  const service = privacyService(privacy, actions)
  const [plugin] = service.console
  if (plugin === undefined) throw new Error('There are no routes.')
  const owner = await consoleApp(plugin)
  const column = { kind: 'column', schema: 'public', table: 'users', column: 'email' }
  expect((await owner('POST', '/privacy/masks', column)).status).toBe(201)
  expect((await owner('POST', '/privacy/masks', { kind: 'property', property: 'email' })).status).toBe(201)
  expect(log).toEqual([
    { name: 'mask.add', target: 'column public.users.email' },
    { name: 'mask.add', target: 'property email' },
  ])
  await visit(world, 'after@secret.test', 2)
  const count = { text: `select count() as n from events where event = 'signed up'`, parameters: {} }
  await expect.poll(async () => Number((await clickhouse.query<{ n: string }>(count))[0]?.n)).toBe(2)
  await expect.poll(() => world.where('visitor-2'), { timeout: 30_000 }).toEqual(expect.arrayContaining(['snapshots']))
  await expect.poll(() => world.where('"id":"2"')).toContain('changes')
  expect(await world.where('after@secret.test')).toEqual([])

  await service.start()
  const jobs = async () => (await owner('GET', '/privacy')).body.jobs
  await expect.poll(jobs, { timeout: 60_000 }).toMatchObject([
    { label: 'email', state: 'done', part: 1, error: null },
    { label: 'public.users.email', state: 'done', part: 1, error: null },
  ])
  expect(await world.where('before@secret.test')).toEqual([])
  expect(await world.where('after@secret.test')).toEqual([])
  const [properties, columns] = await jobs()
  expect(columns.masked.filter(({ rows }: { rows: number }) => rows > 0)).toEqual([
    { store: 'row changes', rows: 2 },
    { store: 'requests', rows: 2 },
  ])
  expect(properties.masked).toEqual([
    ...[
      { store: 'events', rows: 4 },
      { store: 'heat maps', rows: 0 },
      { store: 'web vitals', rows: 0 },
      { store: 'visits of groups', rows: 0 },
      { store: 'people', rows: 1 },
      { store: 'groups', rows: 1 },
    ],
    ...[
      { store: 'row changes', rows: 0 },
      { store: 'requests', rows: 0 },
      { store: 'headers and bodies', rows: 0 },
    ],
    ...[
      { store: 'errors', rows: 1 },
      { store: 'error headings', rows: 1 },
      { store: 'recordings', rows: 1 },
    ],
  ])
  // What is not masked stays, and that a masked column changed is still to be seen.
  const changes = {
    text: `select old, new, columns from changes final where operation = 'update' order by lsn`,
    parameters: {},
  }
  const masked = (id: number) => ({ id: `${id}`, email: '[masked]', city: 'Ulm' })
  const rows = await clickhouse.query<{ old: string; new: string; columns: readonly string[] }>(changes)
  expect(rows.map((row) => [JSON.parse(row.old), JSON.parse(row.new), row.columns])).toEqual([
    [masked(1), masked(1), ['email']],
    [masked(2), masked(2), ['email']],
  ])
  const filters = { text: `select distinct query from requests where query like 'select%'`, parameters: {} }
  expect(await clickhouse.query(filters)).toEqual([
    { query: 'select=id,email&or=[masked]&orders.email=[masked]&city=eq.Ulm' },
  ])
  const recordings = await clickhouse.query<{ data: string }>({ text: 'select data from snapshots', parameters: {} })
  const page = { type: 4, data: expect.objectContaining({ href: 'https://shop.test/welcome?email=[masked]&page=2' }) }
  const bodies = { requestBody: '[masked]', responseBody: 'ok' }
  for (const { data } of recordings)
    expect(JSON.parse(data)).toMatchObject([
      page,
      { data: { payload: { requests: [bodies] } } },
      { type: 3, data: 'compressed' },
    ])
  // What the tables make of properties is made anew with them, in projections as well.
  const made = {
    text: `select distinct exception, current_url from events
           where session_id <> '' and event = '$exception' settings force_optimize_projection = 1`,
    parameters: {},
  }
  const url = 'https://shop.test/welcome?email=[masked]&page=2'
  expect(await clickhouse.query(made)).toEqual([{ exception: `GET ${url} failed`, current_url: url }])
  const pages = { text: `select distinct current_url from events where event = '$pageview'`, parameters: {} }
  expect(await clickhouse.query(pages)).toEqual([{ current_url: 'https://shop.test/welcome?email=[masked]&page=2' }])
})

/** A store that counts its calls; its work is done when it is let go, or never. */
function countedStore(name: string, isStuck: boolean) {
  let calls = 0
  const store: MaskedStore = {
    name,
    async mask(_, { signal, progress }) {
      calls += 1
      await progress(0.5)
      if (isStuck)
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return 1
    },
  }
  return { store, calls: () => calls }
}

test('a job is taken up by another process when nothing was heard of the one that had it, behind what it had done', async ({
  world,
}) => {
  const [first, stuck] = [countedStore('events', false), countedStore('requests', true)]
  const gone = world.open({ stores: [first.store, stuck.store], leaseMs: 200 })
  await gone.masks.add({ kind: 'property', property: 'email' }, 'ada')
  gone.jobs.start()
  await expect.poll(() => gone.jobs.list(1)).toMatchObject([{ state: 'running', store: 'requests', part: 0.5 }])
  // As a process that is killed: its row says that it runs, and nothing prolongs its lease.
  await gone.jobs.close()
  expect(await gone.jobs.list(1)).toMatchObject([
    { state: 'running', error: null, done: [{ store: 'events', rows: 1 }] },
  ])

  const [again, working] = [countedStore('events', false), countedStore('requests', false)]
  const next = world.open({ stores: [again.store, working.store], leaseMs: 60_000 })
  await expect
    .poll(async () => {
      next.jobs.start()
      next.jobs.wake()
      return next.jobs.list(1)
    })
    .toMatchObject([{ state: 'done', steps: 4, part: 0 }])
  // Of the first pass only what was left, and all of the second.
  expect([first.calls(), stuck.calls(), again.calls(), working.calls()]).toEqual([1, 1, 1, 2])
})

test('who may look sees what is masked, owners alone change it, and a removed mask lets new data be as they are', async ({
  world,
}) => {
  const privacy = world.open()
  const role = async (name: 'owner' | 'developer' | 'analyst' | 'viewer') => {
    const [plugin] = privacyService(privacy, recordedActions(name).actions).console
    if (plugin === undefined) throw new Error('There are no routes.')
    return consoleApp(plugin)
  }
  const owner = await role('owner')
  const mask = { kind: 'property', property: 'email' }
  for (const name of ['developer', 'analyst', 'viewer'] as const) {
    const call = await role(name)
    expect((await call('POST', '/privacy/masks', mask)).status).toBe(403)
    expect((await call('GET', '/privacy/maskable')).status).toBe(403)
    expect((await call('GET', '/privacy')).status).toBe(name === 'viewer' ? 403 : 200)
  }
  const { body } = await owner('POST', '/privacy/masks', mask)
  expect(body).toMatchObject({ kind: 'property', label: 'email' })
  await visit(world, 'one@secret.test', 1)
  const offered = (await owner('GET', '/privacy/maskable')).body
  expect(offered.columns).toEqual(
    expect.arrayContaining([
      { schema: 'public', table: 'users', column: 'email' },
      { schema: 'auth', table: 'users', column: 'email' },
    ]),
  )
  expect(offered.columns).not.toContainEqual({ schema: 'public', table: 'users', column: 'id' })
  await expect.poll(async () => (await owner('GET', '/privacy/maskable')).body.properties).toContain('plan')
  const developer = await role('developer')
  expect((await developer('DELETE', `/privacy/masks/${body.id}`)).status).toBe(403)
  expect((await owner('DELETE', `/privacy/masks/${body.id}`)).status).toBe(204)
  expect((await owner('DELETE', `/privacy/masks/${body.id}`)).body.code).toBe('CLEW_PRIVACY_NOT_FOUND')
  await visit(world, 'two@open.test', 2)
  await expect.poll(() => world.where('two@open.test')).toContain('events')
  expect((await owner('GET', '/privacy')).body).toMatchObject({ masks: [], consentRequired: false })
  expect(await world.where('one@secret.test')).not.toContain('events')
})
