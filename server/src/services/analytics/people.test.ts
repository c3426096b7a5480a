import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { PostHog } from 'posthog-node'
import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { recordings } from '../../../test/counted-recordings.ts'
import { test as base } from '../../../test/harness.ts'
import { recordedActions } from '../../../test/operator-actions.ts'
import { refusedRowsIn } from '../../../test/refused-rows.ts'
import { spoolSettings } from '../../engines/spool/index.ts'
import { createThreads } from '../../engines/threads/index.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { readSettings } from '../../ground/settings/read.ts'
import { peopleRoutes } from './console.ts'
import { noFlags } from './flags/no-flags.ts'
import { analyticsSettings, analyticsTables, capturePlugin, createAnalytics } from './index.ts'

const token = 'phc_people'
const others = { flags: noFlags, users: { byId: async () => new Map(), account: async () => null } }
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

const test = base.extend('world', async ({ db, clickhouseOfFile: clickhouse }, { onCleanup }) => {
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-people-'))
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const threads = createThreads()
  const analytics = await createAnalytics({
    ...{
      sql: db.admin,
      clickhouse,
      spoolDir,
      threads,
      recordings: { ...recordings, store: async () => undefined, forget: async () => undefined },
    },
    refused: refusedRowsIn(spoolDir),
    spoolSettings: readSettings(spoolSettings, []).values,
    ...{ ingestTokens: [token], isSecretKey: () => false, now: () => new Date(), newId: uuidv7, log: silent },
    settings: readSettings(analyticsSettings, []).values,
    settleMs: 20,
  })
  analytics.erasures.start()
  const app = Fastify()
  await app.register(capturePlugin(analytics), { prefix: '/ingest' })
  const host = `${await app.listen({ port: 0, host: '127.0.0.1' })}/ingest`
  onCleanup(async () => {
    await app.close()
    await analytics.close()
    await threads.close()
    for (const table of ['events', 'visitor_days', 'page_uses', 'web_vitals'])
      await clickhouse.command({ text: `truncate table ${table}`, parameters: {} })
    await rm(spoolDir, { recursive: true, force: true })
  })
  return { analytics, clickhouse, host }
})

test('groups of an unchanged posthog-node are kept, five types of them, and events are found by their group', async ({
  world: { analytics, clickhouse, host },
}) => {
  const posthog = new PostHog(token, { host, flushAt: 1 })
  const describe = (groupType: string, groupKey: string, properties: object): Promise<void> => {
    posthog.groupIdentify({ groupType, groupKey, properties: { ...properties }, distinctId: 'ada' })
    return posthog.flush()
  }
  await describe('company', 'acme', { name: 'Acme', plan: 'free' })
  await describe('company', 'acme', { plan: 'pro' })
  posthog.capture({ distinctId: 'ada', event: 'ordered', groups: { company: 'acme', project: 7 } })
  await posthog.flush()
  for (const type of ['team', 'region', 'shop', 'sixth']) await describe(type, 'one', { name: type })
  await posthog.shutdown()

  await expect
    .poll(() => analytics.groupTypes())
    .toEqual(new Map(['company', 'project', 'team', 'region', 'shop'].map((type, index) => [index, type])))
  expect(await analytics.groupProperties('company', 'acme')).toEqual({ name: 'Acme', plan: 'pro' })
  expect(await analytics.groupProperties('sixth', 'one')).toBeNull()
  // What only events named is there, too.
  const { actions } = recordedActions('analyst')
  const get = await consoleApp(peopleRoutes(analytics, { ...others, actions }))
  await expect
    .poll(async () => (await get('GET', '/groups/project')).body.groups)
    .toMatchObject([{ key: '7', name: null, visitors: 1, events: 1 }])
  expect((await get('GET', '/groups/company/acme')).body).toMatchObject({
    ...{ group: { key: 'acme', name: 'Acme', events: 1 } },
    properties: [
      { name: 'name', value: 'Acme' },
      { name: 'plan', value: 'pro' },
    ],
  })
  // A group event is about no person.
  const question = {
    text: `select event, groups['project'] as project from events final where groups['company'] = 'acme' and event = 'ordered'`,
    parameters: {},
  }
  await expect.poll(() => clickhouse.query(question)).toEqual([{ event: 'ordered', project: '7' }])
})

test('an operator separates an id from a person, and no event but a dangerous merge joins it again', async ({
  world: { analytics, host },
}) => {
  const send = (event: string, properties: object): Promise<Response> =>
    fetch(`${host}/e/`, { method: 'POST', body: JSON.stringify({ api_key: token, event, uuid: uuidv7(), properties }) })
  const people = async () => analytics.personsByDistinctId(['ada', 'shared', 'phone'])
  await send('$identify', { distinct_id: 'ada', $anon_distinct_id: 'shared', $set: { email: 'ada@example.test' } })
  await send('$identify', { distinct_id: 'ada', $anon_distinct_id: 'phone' })
  await expect.poll(async () => (await people()).get('phone')?.email).toBe('ada@example.test')
  const personId = (await people()).get('ada')?.personId ?? ''

  const { actions, log } = recordedActions('developer')
  const call = await consoleApp(peopleRoutes(analytics, { ...others, actions }))
  expect((await call('GET', `/people/${personId}/ids`)).body).toEqual({ distinctIds: ['ada', 'phone', 'shared'] })
  const split = (distinctIds: readonly string[], id = personId) => call('POST', `/people/${id}/split`, { distinctIds })
  expect((await split(['ada', 'phone', 'shared'])).body.code).toBe('CLEW_PEOPLE_NOTHING_LEFT')
  expect((await split(['shared', 'other'])).body.code).toBe('CLEW_PEOPLE_NOT_THEIRS')
  const { body } = await split(['shared'])
  expect((await split(['shared'])).body.code).toBe('CLEW_PEOPLE_NOT_THEIRS')
  expect(log.at(-1)).toEqual({ name: 'person.split', target: `person ${personId}` })
  expect((await people()).get('shared')).toEqual({ personId: body.personId, userId: null, email: null, name: null })
  expect((await people()).get('phone')?.personId).toBe(personId)
  expect((await call('GET', `/people/${uuidv7()}/ids`)).body.code).toBe('CLEW_PEOPLE_NOT_FOUND')

  await send('$identify', { distinct_id: 'ada', $anon_distinct_id: 'shared', $set: { seen: 'again' } })
  await send('$set', { distinct_id: 'shared', $set: { name: 'A guest' } })
  await expect.poll(async () => (await people()).get('shared')?.name).toBe('A guest')
  expect((await people()).get('shared')?.personId).toBe(body.personId)
  await send('$merge_dangerously', { distinct_id: 'ada', alias: 'shared' })
  await expect.poll(async () => (await people()).get('shared')?.personId).toBe(personId)

  const analyst = await consoleApp(peopleRoutes(analytics, { ...others, actions: recordedActions('analyst').actions }))
  expect((await analyst('POST', `/people/${personId}/split`, { distinctIds: ['phone'] })).status).toBe(403)
})
