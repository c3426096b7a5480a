import { expect } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { test as base } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import type { FlagCall } from '../../../ground/flags/flags.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { createEventPages } from '../events/events.ts'
import { findFacts } from '../identity/facts.ts'
import { analyticsTables } from '../index.ts'
import { maskGroupVisits } from '../masking/made-tables.ts'
import { createGroupPages } from './pages.ts'
import { groupRoutes } from './routes.ts'

const now = new Date('2026-03-31T12:00:00Z')
const ada = '00000000-0000-4000-8000-000000000001'

/** A company that was described, others that events named, and one of a name with all that could go wrong in it. */
const odd = `o'neil/"%_\\ & 7`
const stored: readonly (readonly [id: string, session: string, time: string, event: string, groups: object])[] = [
  ['laptop', 's1', '2026-03-30 10:00:00.000', 'seen', { company: 'acme' }],
  ['phone', 's2', '2026-03-30 11:00:00.000', '$exception', { company: 'acme', team: 'red' }],
  ['phone', '', '2026-03-30 11:30:00.000', 'seen', { company: 'acme' }],
  ['eve', 's3', '2026-03-29 10:00:00.000', 'seen', { company: 'acme' }],
  ['eve', 's4', '2025-12-01 10:00:00.000', 'seen', { company: 'acme' }],
  ['eve', 's5', '2026-03-20 10:00:00.000', 'seen', { company: odd }],
  ['eve', 's6', '2026-03-20 10:00:00.000', 'seen', {}],
]

const test = base.extend('world', async ({ db, clickhouseOfFile: clickhouse }, { onCleanup }) => {
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const run = (text: string, ...values: readonly unknown[]) => db.admin.query({ text, values })
  await run(
    `insert into clew_analytics.group_types (type, index, created_at) values ('company', 0, now()), ('team', 1, now())`,
  )
  await run(
    `insert into clew_analytics.persons (id, properties, created_at) values ('${ada}', '{"name": "Ada"}', now())`,
  )
  await run(`insert into clew_analytics.distinct_ids values ('laptop', '${ada}'), ('phone', '${ada}')`)
  await run(`insert into clew_analytics.groups (type, key, properties, property_times, created_at)
    values ('company', 'acme', '{"name": "Acme Söhne", "plan": "pro"}', '{"plan": 1774864800000}', '2026-01-01Z')`)
  await run(`update clew_analytics.groups_seen set last_seen_at = '2026-03-30 11:30Z'`)
  await run(
    `insert into clew_analytics.groups_seen values ('company', $1, '2026-03-20 10:00Z', '2026-03-20 10:00Z'),
      ('company', 'acorn', '2026-03-20 10:00Z', '2026-03-20 10:00Z'), ('team', 'red', '2026-03-30 11:00Z', '2026-03-30 11:00Z')`,
    odd,
  )
  const rows = stored.map(([id, session, time, event, groups]) => ({
    ...{
      uuid: uuidv7(),
      event,
      distinct_id: id,
      session_id: session,
      timestamp: time,
      client_time: time,
      received_at: time,
    },
    properties: JSON.stringify({ $groups: groups }),
  }))
  await clickhouse.insert('events', rows)
  // Sent again, as after a crash.
  await clickhouse.insert('events', rows.slice(0, 3))
  onCleanup(async () => {
    for (const table of ['events', 'visitor_days', 'group_visits', 'page_uses', 'web_vitals'])
      await clickhouse.command({ text: `truncate table ${table}`, parameters: {} })
  })
  const facts = (ids: readonly string[]) => findFacts(db.admin, ids)
  const events = createEventPages({
    ...{ clickhouse, facts, now: () => now },
    properties: {
      read: async () => {
        throw new Error('No property is asked for.')
      },
      list: async () => [],
    },
  })
  const pages = createGroupPages({ sql: db.admin, clickhouse, facts, events, now: () => now })
  // The flags service evaluates; this test is about which group is asked for.
  const flags = {
    keysOverGroups: async (type: string) => [`of-${type}`],
    evaluate: async ({ distinctId, groups, keys }: FlagCall) => [
      {
        ...{
          id: 1,
          key: `${keys?.join()}-${groups.company}-${distinctId}`,
          version: 1,
          description: '',
          hasExperiment: false,
        },
        ...{ value: true, payload: null, failed: false },
        reason: { code: 'condition_match' as const, conditionIndex: 0, description: 'Condition 1 matched' },
      },
    ],
  }
  const types = async () =>
    new Map([
      [0, 'company'],
      [1, 'team'],
    ])
  const call = (role: Parameters<typeof recordedActions>[0]) =>
    consoleApp(async (app) => groupRoutes(app, { pages, types, flags, actions: recordedActions(role).actions }))
  const ask = await call('analyst')
  const get = (path: string) => ask('GET', `/groups/${path}`)
  return { call, get, clickhouse }
})

const address = (key: string): string => `company/${encodeURIComponent(key)}`

test('groups of a type are listed by when they were last seen, with what their events come to', async ({
  world: { get },
}) => {
  const { body } = await get('company')
  expect(body).toEqual({
    groups: [
      {
        ...{ key: 'acme', name: 'Acme Söhne', firstSeenAt: '2026-01-01T00:00:00.000Z' },
        ...{ lastSeenAt: '2026-03-30T11:30:00.000Z', visitors: 3, sessions: 3, events: 4 },
      },
      {
        ...{ key: odd, name: null, firstSeenAt: '2026-03-20T10:00:00.000Z', lastSeenAt: '2026-03-20T10:00:00.000Z' },
        ...{ visitors: 1, sessions: 1, events: 1 },
      },
      expect.objectContaining({ key: 'acorn', visitors: 0, sessions: 0, events: 0 }),
    ],
    next: null,
  })
  const keys: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: { groups: { key: string }[]; next: string | null } = (
      await get(`company?limit=1${next && `&before=${encodeURIComponent(next)}`}`)
    ).body
    keys.push(...page.groups.map(({ key }) => key))
    next = page.next
  }
  expect(keys).toEqual(['acme', odd, 'acorn'])
  expect((await get('gone')).body).toEqual({ groups: [], next: null })
  expect((await get('company?before=there')).body.code).toBe('CLEW_GROUPS_PLACE')
})

test.for<[string, string[]]>([
  ['ac', ['acme', 'acorn']],
  ['söh', ['acme']],
  ['Söhne ac', ['acme']],
  ['cme', []],
  [`o'neil/"%_\\`, [odd]],
  ['%', []],
  ['&', []],
])('%s finds %j', async ([text, keys], { world: { get } }) => {
  const { body } = await get(`company?q=${encodeURIComponent(text)}`)
  expect(body.groups.map(({ key }: { key: string }) => key)).toEqual(keys)
})

test('a group is shown with its properties, people, sessions, events, errors and flags', async ({ world: { get } }) => {
  const { body } = await get('company/acme')
  expect(body).toMatchObject({
    ...{ type: 'company', group: { key: 'acme', name: 'Acme Söhne', events: 4 }, exceptions: 1 },
    properties: [
      { name: 'name', value: 'Acme Söhne', setAt: null },
      { name: 'plan', value: 'pro', setAt: '2026-03-30T10:00:00.000Z' },
    ],
  })
  // One person with both of their ids.
  expect((await get('company/acme/people')).body.people).toEqual([
    {
      ...{ distinctId: 'phone', person: { id: ada, userId: null, email: null, name: 'Ada' } },
      ...{ lastSeenAt: '2026-03-30T11:30:00.000Z', events: 3 },
    },
    { distinctId: 'eve', person: null, lastSeenAt: '2026-03-29T10:00:00.000Z', events: 1 },
  ])
  const first = (await get('company/acme/sessions?limit=2')).body
  expect(first.sessions).toMatchObject([
    { id: 's2', distinctId: 'phone', person: { name: 'Ada' }, startedAt: '2026-03-30T11:00:00.000Z', events: 1 },
    { id: 's1', distinctId: 'laptop', events: 1 },
  ])
  expect((await get(`company/acme/sessions?limit=2&before=${first.next}`)).body).toMatchObject({
    sessions: [{ id: 's3', person: null }],
    next: null,
  })
  const events = (await get('company/acme/events?limit=4')).body
  expect(events.events.map(({ at }: { at: string }) => at)).toEqual(
    ['2026-03-30T11:30', '2026-03-30T11:00', '2026-03-30T10:00', '2026-03-29T10:00'].map((time) => `${time}:00.000Z`),
  )
  expect((await get(`company/acme/events?before=${events.next}`)).body.events).toMatchObject([{ sessionId: 's4' }])
  expect((await get('company/acme/events?event=%24exception')).body.events).toMatchObject([{ sessionId: 's2' }])
  expect((await get('company/acme/flags')).body.flags).toEqual([
    { key: 'of-company-acme-', value: true, reason: 'Condition 1 matched', payload: null, known: true },
  ])
})

test('a key may be any text, and a group that no event named is none', async ({ world: { get } }) => {
  expect((await get(address(odd))).body.group.key).toBe(odd)
  expect((await get(`${address(odd)}/events`)).body.events).toMatchObject([{ sessionId: 's5' }])
  expect((await get(`${address(odd)}/sessions`)).body.sessions).toMatchObject([{ id: 's5' }])
  // It was noted, and its events are gone.
  expect((await get('company/acorn/events')).body).toEqual({ events: [], next: null })
  for (const part of ['', '/people', '/sessions', '/events'])
    expect([part, (await get(`company/gone${part}`)).body.code]).toEqual([part, 'CLEW_GROUPS_NOT_FOUND'])
})

test('where the groups of events are masked, nothing says who visited for which', async ({
  world: { get, clickhouse },
}) => {
  const work = { signal: new AbortController().signal, progress: async () => undefined }
  const counted = async (): Promise<number> => (await get('company')).body.groups[0].events
  expect(await maskGroupVisits(clickhouse, ['email'], work)).toBe(0)
  expect(await counted()).toBe(4)
  expect(await maskGroupVisits(clickhouse, ['email', '$groups'], work)).toBeGreaterThan(0)
  expect(await counted()).toBe(0)
})

test('viewers see no groups', async ({ world: { call } }) => {
  const get = await call('viewer')
  for (const path of [
    '',
    '/company',
    '/company/acme',
    '/company/acme/people',
    '/company/acme/sessions',
    '/company/acme/events',
    '/company/acme/flags',
  ])
    expect([path, (await get('GET', `/groups${path}`)).status]).toEqual([path, 403])
})
