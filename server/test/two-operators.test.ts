import type { FastifyPluginAsync } from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { fixedRootKeys } from '../src/ground/ids/root-keys.ts'
import { createRootSealing } from '../src/ground/ids/root-sealing.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { createJobs } from '../src/services/cron/console/jobs.ts'
import { jobRoutes } from '../src/services/cron/console/routes.ts'
import { readCalendar } from '../src/services/cron/index.ts'
import { createExperiments, experimentsSettings, experimentsTables } from '../src/services/experiments/index.ts'
import { experimentRoutes } from '../src/services/experiments/routes.ts'
import { exportRoutes } from '../src/services/exports/console/routes.ts'
import { createExports, exportsTables } from '../src/services/exports/index.ts'
import { exportsSettings } from '../src/services/exports/settings.ts'
import { webhookRoutes } from '../src/services/net/console/routes.ts'
import { createWebhooks } from '../src/services/net/console/webhooks.ts'
import { createQueues } from '../src/services/queues/queues.ts'
import { queueRoutes } from '../src/services/queues/routes.ts'
import { createRetention, retentionService, retentionTables } from '../src/services/retention/index.ts'
import { createSurveys, surveysSettings, surveysTables } from '../src/services/surveys/index.ts'
import { surveyRoutes } from '../src/services/surveys/routes.ts'
import { vaultRoutes } from '../src/services/vault/routes.ts'
import { createVault } from '../src/services/vault/vault.ts'
import { consoleApp } from './console-app.ts'
import { test } from './harness.ts'
import { startNet } from './net-service.ts'
import { recordedActions } from './operator-actions.ts'
import { startReceiver } from './receiver.ts'

/** Two operators at one room's routes, with one log of what both did. */
async function two(routesWith: (actions: ReturnType<typeof recordedActions>['actions']) => FastifyPluginAsync) {
  const { actions, log } = recordedActions('owner')
  const openAs = (email: string) =>
    consoleApp(async (app) => {
      app.addHook('onRequest', async (request) => request.setDecorator('operator', { email }))
      await app.register(routesWith(actions))
    })
  const [ann, bob] = [await openAs('ann@x.test'), await openAs('bob@x.test')]
  return { ann, bob, names: () => log.map(({ name }) => name).toSorted() }
}

const rounds = Array.from({ length: 20 }, (_, n) => n)

test('two who change one secret at once lose nothing of each other; after it was removed, both are told', async ({
  db,
}) => {
  await db.load('create extension if not exists supabase_vault with schema vault')
  const { ann, bob, names } = await two((actions) =>
    vaultRoutes(createVault({ reader: db.reader, owner: db.owner }), actions),
  )
  const { id } = (await ann('POST', '/vault', { name: 'key', description: '', secret: 'first' })).body
  for (const n of rounds) {
    const changed = await Promise.all([
      ann('PATCH', `/vault/${id}`, { secret: `value ${n}` }),
      bob('PATCH', `/vault/${id}`, { description: `words ${n}` }),
    ])
    expect(changed.map(({ status }) => status)).toEqual([204, 204])
    expect((await ann('POST', `/vault/${id}/reveal`)).body).toEqual({ secret: `value ${n}` })
    expect((await ann('GET', '/vault')).body.secrets).toMatchObject([{ description: `words ${n}` }])
  }
  expect(names().filter((name) => name === 'secret.change')).toHaveLength(2 * rounds.length)
  const removed = await Promise.all([ann('DELETE', `/vault/${id}`), bob('DELETE', `/vault/${id}`)])
  expect(removed.map(({ status }) => status).toSorted()).toEqual([204, 404])
  expect((await bob('PATCH', `/vault/${id}`, { secret: 'late' })).body.code).toBe('CLEW_VAULT_NOT_FOUND')
  for (const n of rounds) {
    const { id: next } = (await ann('POST', '/vault', { name: `key ${n}`, description: '', secret: 's' })).body
    const [, change] = await Promise.all([
      ann('DELETE', `/vault/${next}`),
      bob('PATCH', `/vault/${next}`, { secret: 'late' }),
    ])
    // Before the removal it took effect, and it was removed with it; after it there was nothing to change.
    expect([204, 404]).toContain(change.status)
    expect((await bob('POST', `/vault/${next}/reveal`)).status).toBe(404)
  }
  const taken = await Promise.all(
    [ann, bob].map((call) => call('POST', '/vault', { name: 'one name', description: '', secret: 's' })),
  )
  expect(taken.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

test('two who pause and activate one job at once leave it as one of them said; after it was removed, both are told', async ({
  db,
}) => {
  await db.load(`create extension pg_cron; select cron.schedule('nightly', '0 3 * * *', 'select 1')`)
  const ran: string[] = []
  const cron = { timeZone: 'GMT', runNow: (jobId: string) => void ran.push(jobId) }
  const { ann, bob, names } = await two((actions) =>
    jobRoutes(createJobs({ cron, reader: db.reader, owner: db.owner, now: () => new Date() }), actions),
  )
  let asked = 0
  for (const _ of rounds) {
    const changed = await Promise.all([
      ann('PATCH', '/jobs/1', { active: false }),
      bob('PATCH', '/jobs/1', { active: true }),
      bob('POST', '/jobs/1/runs'),
    ])
    const [paused, activated, run] = changed.map(({ status }) => status)
    expect([paused, activated]).toEqual([204, 204])
    // A job that is paused just then does not run.
    if (run === 202) asked += 1
    else expect(changed[2].body.code).toBe('CLEW_CRON_NOT_ACTIVE')
  }
  expect((await ann('GET', '/jobs/1')).body.job).toMatchObject({ name: 'nightly', schedule: '0 3 * * *' })
  expect(ran).toHaveLength(asked)
  expect(names().filter((name) => name === 'job.pause')).toHaveLength(rounds.length)
  expect(names().filter((name) => name === 'job.activate')).toHaveLength(rounds.length)
  for (const n of rounds) {
    await db.load(`select cron.schedule('again', '0 3 * * *', 'select ${n}')`)
    const { jobs } = (await ann('GET', '/jobs')).body
    const path = `/jobs/${jobs.at(-1).jobId}`
    const [, change] = await Promise.all([
      db.load(`select cron.unschedule('again')`),
      bob('PATCH', path, { active: false }),
    ])
    if (change.status !== 204) expect(change.body.code).toBe('CLEW_CRON_JOB_NOT_FOUND')
    for (const call of [ann, bob])
      expect((await call('POST', `${path}/runs`)).body.code).toBe('CLEW_CRON_JOB_NOT_FOUND')
  }
})

test('two who purge one queue at once count each message once; after it was dropped, both are told', async ({ db }) => {
  await db.load(`create extension pgmq; select pgmq.create('jobs')`)
  const { ann, bob, names } = await two((actions) =>
    queueRoutes(createQueues({ reader: db.reader, owner: db.owner }), actions),
  )
  for (const _ of rounds) {
    await db.load(`select pgmq.send_batch('jobs', array_agg(to_jsonb(n))) from generate_series(1, 50) n`)
    const purged = await Promise.all([ann('DELETE', '/queues/jobs/messages'), bob('DELETE', '/queues/jobs/messages')])
    expect(purged.map(({ body }) => body.purged).toSorted()).toEqual([0, 50])
  }
  expect(names()).toEqual(Array.from({ length: 2 * rounds.length }, () => 'queue.purge'))
  const { id } = (await ann('POST', '/queues/jobs/messages', { message: '1', delaySeconds: 0 })).body
  const taken = await Promise.all([
    ann('DELETE', `/queues/jobs/messages/${id}`),
    bob('POST', `/queues/jobs/messages/${id}/archive`),
  ])
  expect(taken.map(({ status }) => status).toSorted()).toEqual([204, 404])
  await db.load(`select pgmq.drop_queue('jobs')`)
  for (const call of [ann, bob])
    expect((await call('DELETE', '/queues/jobs/messages')).body.code).toBe('CLEW_QUEUES_NOT_FOUND')
})

test('two who send one webhook again at once send it again once', async ({ db }) => {
  const receiver = await startReceiver((response, _request, count) => response.writeHead(count === 1 ? 404 : 200).end())
  onTestFinished(receiver.close)
  const { holds, net } = await startNet(db)
  await db.load(`
    create table orders (id int primary key);
    create trigger on_order after insert on orders for each row execute function
      supabase_functions.http_request('${receiver.url}/hook', 'POST', '{}', '{}', '5000');
    insert into orders values (1)`)
  await holds(`exists (select from clew_net.deliveries where state = 'failed')`)
  const { ann, bob, names } = await two((actions) =>
    webhookRoutes(createWebhooks({ reader: db.reader, sql: db.admin }), actions),
  )
  const [{ id }] = (await ann('GET', '/webhooks/deliveries')).body.deliveries
  await net.close()
  const sent = await Promise.all([ann, bob].map((call) => call('POST', `/webhooks/deliveries/${id}/attempts`)))
  // What waits may be asked for twice: it is one delivery still.
  expect(sent.map(({ status }) => status)).toEqual([202, 202])
  expect(names()).toEqual(['webhook.send', 'webhook.send'])
  await holds(`1 = (select count(*) from clew_net.deliveries where state = 'waiting')`)
  await db.load('truncate orders')
  await db.admin.query({ text: 'delete from clew_net.deliveries', values: [] })
  for (const call of [ann, bob])
    expect((await call('POST', `/webhooks/deliveries/${id}/attempts`)).body.code).toBe('CLEW_NET_DELIVERY_NOT_FOUND')
})

/** What the later of the two is told. */
const changedNow = (what: string): RegExp =>
  new RegExp(String.raw`^(ann|bob)@x\.test changed ${what} meanwhile, at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$`)

const statusesOf = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).toSorted()

test('of two who end one hold at once one does, and the other is told', async ({ db, clickhouse }) => {
  await db.migrate(retentionTables.name, retentionTables.postgres)
  const settings = { sessionsWithErrorsDays: null, maxHolds: 100 }
  const deps = {
    ...{ sql: db.admin, clickhouse, tables: [], settings, newId: uuidv7, now: () => new Date() },
    findPerson: async () => null,
  }
  const { ann, bob } = await two((actions) => async (app) => {
    for (const part of retentionService(createRetention(deps), actions, deps).console) await app.register(part)
  })
  for (const n of rounds) {
    const hold = { subject: { kind: 'session', id: `s${n}` }, reason: 'Claim 12', until: null }
    const { id } = (await ann('POST', '/retention/holds', hold)).body
    const end = (call: typeof ann, reason: string) => call('POST', `/retention/holds/${id}/end`, { reason })
    const ended = await Promise.all([end(ann, 'Settled'), end(bob, 'Withdrawn')])
    expect(statusesOf(ended)).toEqual([200, 409])
    const { endReason } = ended.find(({ status }) => status === 200)?.body ?? {}
    const { holds } = (await bob('GET', '/retention')).body
    expect(holds.find((each: { id: string }) => each.id === id)).toMatchObject({ endReason, isOpen: false })
  }
})

test('of two who change one survey at once one does; it ends when the first of them said so', async ({ db }) => {
  await db.migrate('surveys', surveysTables.postgres)
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const surveys = await createSurveys({
    ...{ sql: db.admin, listen: db.listen, newId: uuidv7, log },
    events: { counts: async () => ({ shown: 0, answered: 0, dismissed: 0 }), answers: async () => [] },
    settings: readSettings(surveysSettings, []).values,
  })
  onTestFinished(surveys.close)
  const { ann, bob } = await two((actions) => surveyRoutes(surveys, actions))
  const survey = {
    ...{ name: 'After', description: '', type: 'popover', appearance: {}, conditions: {}, linkedFlagKey: null },
    ...{ schedule: 'once', partialResponses: false, questions: [{ type: 'open', id: 'q', question: 'Why?' }] },
  }
  const { id } = (await ann('POST', '/surveys', survey)).body
  for (const n of rounds) {
    const { version } = (await ann('GET', `/surveys/${id}`)).body
    const change = (call: typeof ann, name: string) =>
      call('PUT', `/surveys/${id}`, { version, survey: { ...survey, name } })
    const changed = await Promise.all([change(ann, `Ann ${n}`), change(bob, `Bob ${n}`)])
    expect(statusesOf(changed)).toEqual([200, 409])
    expect(changed.find(({ status }) => status === 409)?.body).toMatchObject({
      ...{ code: 'CLEW_SURVEYS_CHANGED', message: expect.stringMatching(changedNow('the survey')) },
    })
    const { name } = changed.find(({ status }) => status === 200)?.body ?? {}
    expect((await bob('GET', `/surveys/${id}`)).body.name).toBe(name)
  }
  await ann('PUT', `/surveys/${id}/running`, { running: true })
  const { endDate } = (await ann('PUT', `/surveys/${id}/running`, { running: false })).body
  expect((await bob('PUT', `/surveys/${id}/running`, { running: false })).body).toMatchObject({
    state: 'ended',
    endDate,
  })
  const archived = await Promise.all([ann('DELETE', `/surveys/${id}`), bob('DELETE', `/surveys/${id}`)])
  expect(statusesOf(archived)).toEqual([204, 404])
})

test('of two who change one experiment at once one does; its result ends when the first of them said so', async ({
  db,
}) => {
  await db.migrate('experiments', experimentsTables.postgres)
  const variants = [
    { key: 'control', share: 50 },
    { key: 'test', share: 50 },
  ]
  const experiments = createExperiments({
    ...{ sql: db.admin, reader: db.reader, now: () => new Date(), newId: uuidv7 },
    flags: { variantsOf: async () => variants, setExperiment: async () => undefined },
    events: { exposures: async function* () {}, occurrences: async function* () {} },
    people: { byDistinctId: async () => new Map(), byUserId: async () => new Map() },
    settings: readSettings(experimentsSettings, []).values,
  })
  const { ann, bob } = await two((actions) => experimentRoutes(experiments, actions))
  const source = { type: 'events', event: 'order', property: null }
  const metrics = [{ name: 'ordered', kind: 'conversion', windowHours: null, source }]
  const experiment = { name: 'Button', hypothesis: '', flagKey: 'button', metrics }
  const { id } = (await ann('POST', '/experiments', experiment)).body
  for (const n of rounds) {
    const { version } = (await ann('GET', `/experiments/${id}`)).body
    const change = (call: typeof ann, name: string) =>
      call('PUT', `/experiments/${id}`, { version, experiment: { ...experiment, name } })
    const changed = await Promise.all([change(ann, `Ann ${n}`), change(bob, `Bob ${n}`)])
    expect(statusesOf(changed)).toEqual([200, 409])
    expect(changed.find(({ status }) => status === 409)?.body).toMatchObject({
      ...{ code: 'CLEW_EXPERIMENTS_CHANGED', message: expect.stringMatching(changedNow('the experiment')) },
    })
  }
  await ann('PUT', `/experiments/${id}/running`, { running: true })
  const { endedAt } = (await ann('PUT', `/experiments/${id}/running`, { running: false })).body
  expect((await bob('PUT', `/experiments/${id}/running`, { running: false })).body).toMatchObject({
    state: 'ended',
    endedAt,
  })
  expect((await bob('GET', `/experiments/${id}/result`)).body.result.until).toBe(endedAt)
  const archived = await Promise.all([ann('DELETE', `/experiments/${id}`), bob('DELETE', `/experiments/${id}`)])
  expect(statusesOf(archived)).toEqual([204, 404])
})

test('of two who make exports of one name, or change or remove one, at once one does', async ({ db, clickhouse }) => {
  await db.migrate(exportsTables.name, exportsTables.postgres)
  const refused = async () => {
    throw new Error('Nothing is exported here.')
  }
  const exports = createExports({
    ...{ sql: db.admin, clickhouse, writeRows: refused, openBucket: refused, maskedTo: refused, folder: '/nowhere' },
    ...{ readSchedule: readCalendar, rules: { reach: 'public', allowsPlain: false }, now: () => new Date() },
    ...{
      sealing: createRootSealing(fixedRootKeys('a root key'), 'keys of exports'),
      newId: uuidv7,
      changed: () => undefined,
    },
    settings: { ...readSettings(exportsSettings, []).values, maxExports: 2 },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  const { ann, bob } = await two((actions) => exportRoutes(exports, actions))
  const definition = (name: string) => ({
    ...{ name, kinds: ['events'], format: 'jsonl', schedule: '30 3 * * *', endpoint: null, region: 'eu-central-1' },
    ...{ bucket: 'lake', prefix: '', pathStyle: false, accessKeyId: 'key', secretAccessKey: 'secret' },
  })
  const create = (call: typeof ann, name: string) => call('POST', '/exports', definition(name))
  const one = await Promise.all([create(ann, 'lake'), create(bob, 'lake')])
  expect(statusesOf(one)).toEqual([201, 409])
  // The last that the settings allow.
  expect(statusesOf(await Promise.all([create(ann, 'of Ann'), create(bob, 'of Bob')]))).toEqual([201, 409])
  const { id } = one.find(({ status }) => status === 201)?.body ?? {}
  for (const n of rounds) {
    const { exports: listed } = (await ann('GET', '/exports')).body
    const { version, updatedBy } = listed.find((each: { id: string }) => each.id === id)
    const change = (call: typeof ann, name: string) =>
      call('PUT', `/exports/${id}`, { version, export: { ...definition(name), secretAccessKey: undefined } })
    const changed = await Promise.all([change(ann, `Ann ${n}`), change(bob, `Bob ${n}`)])
    expect(statusesOf(changed)).toEqual([200, 409])
    expect(updatedBy).toMatch(/^(ann|bob)@x\.test$/)
    expect(changed.find(({ status }) => status === 409)?.body).toMatchObject({
      ...{ code: 'CLEW_EXPORTS_CHANGED', message: expect.stringMatching(changedNow('the export')) },
    })
  }
  const pause = (call: typeof ann, paused: boolean) => call('POST', `/exports/${id}/pause`, { paused })
  expect(statusesOf(await Promise.all([pause(ann, true), pause(bob, false)]))).toEqual([204, 204])
  expect(statusesOf(await Promise.all([ann('DELETE', `/exports/${id}`), bob('DELETE', `/exports/${id}`)]))).toEqual([
    204, 404,
  ])
  expect((await bob('POST', `/exports/${id}/runs`)).body.code).toBe('CLEW_EXPORTS_NOT_FOUND')
})
