import { expect } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { test as base } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import type { FlagCall } from '../../../ground/flags/flags.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { analyticsSettings, analyticsTables } from '../index.ts'
import { createSeen } from '../seen/seen.ts'
import { createPeople } from './people.ts'
import { personRoutes } from './routes.ts'
import type { PersonSummary } from './schemas.ts'

const now = new Date('2026-03-31T12:00:00Z')
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const user = '11111111-0000-4000-8000-000000000001'

/** Five persons, a minute apart, of whom the first has two ids and belongs to a user. */
const persons = [
  {
    properties: { email: 'maria@corner.example', name: 'Maria Silva', $geoip_country_code: 'PT' },
    ids: ['m1', 'm2'],
    user,
  },
  { properties: { email: 'Tom.Marlow@example.test' }, ids: ['tom'], user: null },
  { properties: {}, ids: ['0197a0-first'], user: null },
  { properties: { name: "O'Neil & Söhne\\" }, ids: ['0197a0-second'], user: null },
  { properties: { name: 'x'.repeat(5000) }, ids: ['long'], user: null },
]

const test = base.extend('world', async ({ db, clickhouseOfFile: clickhouse }, { onCleanup }) => {
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const insert = async (number: number, { properties, ids, user }: (typeof persons)[number]): Promise<void> => {
    await db.admin.query({
      text: `with person as (
          insert into clew_analytics.persons (id, properties, created_at, is_identified, auth_user_id)
          values ($1, $2::text::jsonb, timestamptz '2026-03-01 12:00Z' + $3 * interval '1 minute', $4, $5) returning id
        )
        insert into clew_analytics.distinct_ids (distinct_id, person_id)
        select distinct_id, person.id from person, unnest($6::text[]) as distinct_id`,
      values: [idOf(number), JSON.stringify(properties), number, Object.hasOwn(properties, 'email'), user, ids],
    })
  }
  for (const [number, person] of persons.entries()) await insert(number, person)
  const event = (uuid: string, distinctId: string, sessionId: string, time: string, properties = '{}') =>
    JSON.stringify({
      ...{ uuid: idOf(Number(uuid)), event: 'seen', distinct_id: distinctId, session_id: sessionId, timestamp: time },
      ...{
        client_time: time,
        received_at: time,
        properties,
        browser: distinctId === 'm2' ? 'Safari' : 'Chrome',
        os: 'macOS',
      },
    })
  const stored = [
    event('1', 'm1', 's1', '2026-03-30 10:00:00.000'),
    event('2', 'm2', 's1', '2026-03-30 10:01:00.000'),
    event('3', 'm2', 's2', '2026-03-30 11:00:00.000'),
    event('4', 'm2', '', '2026-03-30 12:00:00.000', '{"$groups":{"company":"acme"}}'),
    event('5', 'tom', 's3', '2026-01-05 10:00:00.000'),
  ]
  await clickhouse.insertLines('events', stored)
  // Sent again, as after a crash.
  await clickhouse.insertLines('events', stored.slice(0, 2))
  const people = createPeople({ sql: db.admin, clickhouse, now: () => now })
  const { values: settings } = readSettings(analyticsSettings, [])
  const seen = createSeen({ sql: db.admin, clickhouse, settings, now: () => now, log: silent })
  onCleanup(async () => {
    for (const table of ['events', 'visitor_days', 'page_uses', 'web_vitals'])
      await clickhouse.command({ text: `truncate table ${table}`, parameters: {} })
  })
  const flags = {
    // The flags service evaluates; this test is about which person and groups are asked for.
    evaluate: async ({ distinctId, groups }: FlagCall) => [
      {
        ...{ id: 1, key: `${distinctId}-${groups.company}`, version: 1, description: '', hasExperiment: false },
        ...{ value: true, payload: null, failed: false },
        reason: { code: 'condition_match' as const, conditionIndex: 0, description: 'Condition 1 matched' },
      },
    ],
  }
  const users = {
    byId: async () => new Map([[user, { email: 'maria@corner.example', name: 'Maria Silva' }]]),
    account: async () => ({
      ...{ createdAt: now, lastSignInAt: now, bannedUntil: null, providers: ['email'], sessions: 2 },
    }),
  }
  const call = (role: Parameters<typeof recordedActions>[0]) =>
    consoleApp(async (app) => personRoutes(app, { people, flags, users, actions: recordedActions(role).actions }))
  const get = await call('analyst')
  const list = async (query: string) => (await get('GET', `/people?${query}`)).body
  const found = async (query: string) =>
    (await list(`sort=first_seen&${query}`)).people.map(({ distinctId }: PersonSummary) => distinctId)
  return { call, list, found, seen }
})

test('people are listed by when they were first seen, page by page, with what they did lately', async ({
  world: { list },
}) => {
  const first = await list('sort=first_seen&limit=3')
  const second = await list(`sort=first_seen&limit=3&before=${first.next}`)
  expect(first.people).toHaveLength(3)
  expect(second.next).toBeNull()
  expect([...first.people, ...second.people].map(({ id }: PersonSummary) => id)).toEqual([4, 3, 2, 1, 0].map(idOf))
  expect(second.people[1]).toEqual({
    ...{ id: idOf(0), name: 'Maria Silva', email: 'maria@corner.example', distinctId: 'm1', userId: user },
    ...{ identified: true, country: { code: 'PT', name: 'PT' }, city: null, firstSeenAt: '2026-03-01T12:00:00.000Z' },
    ...{ lastSeenAt: '2026-03-30T12:00:00.000Z', events: 4, sessions: 2 },
  })
  // Seen, but not in the last 30 days.
  expect(second.people[0]).toMatchObject({ events: 0, sessions: 0, lastSeenAt: '2026-01-05T10:00:00.000Z' })
  expect(first.people[0]).toMatchObject({ events: 0, sessions: 0, lastSeenAt: null })
})

test('those seen latest stand first, whatever the filter, and each on one page', async ({ world: { list, seen } }) => {
  const at = (time: string): number => Date.parse(time)
  const instants: readonly (readonly [string, number])[] = [
    ['m1', at('2026-03-29T10:00:00Z')],
    ['m2', at('2026-03-30T12:00:00Z')],
    ['0197a0-first', at('2026-03-30T12:00:00Z')],
    // Before they appeared, and by a clock that is ahead.
    ['tom', at('2026-01-05T10:00:00Z')],
    ['long', at('2026-06-01T00:00:00Z')],
    ['of no person', at('2026-03-30T12:00:00Z')],
  ]
  await seen.note({
    ids: new Map(instants.map(([id, atMs]) => [id, { firstMs: atMs, lastMs: atMs }])),
    groups: new Map(),
  })
  const latest = [4, 2, 0, 3, 1]
  const shown: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: { people: PersonSummary[]; next: string | null } = await list(`limit=2${next && `&before=${next}`}`)
    shown.push(...page.people.map(({ id }) => id))
    next = page.next
  }
  expect(shown).toEqual(latest.map(idOf))
  const ids = async (query: string) => (await list(query)).people.map(({ id }: PersonSummary) => id)
  expect(await ids('kind=anonymous')).toEqual([4, 2, 3].map(idOf))
  expect(await ids('kind=identified')).toEqual([0, 1].map(idOf))
  expect(await ids('q=mar')).toEqual([0, 1].map(idOf))
  expect(await ids('sort=first_seen&q=mar')).toEqual([1, 0].map(idOf))
})

test.for<[string, string[]]>([
  ['q=mar', ['tom', 'm1']],
  ['q=SILVA', ['m1']],
  ['q=silva+mar', ['m1']],
  ['q=maria@corner', ['m1']],
  ['q=aria', []],
  ["q=o'neil", ['0197a0-second']],
  ['q=%26', []],
  ['q=\\', []],
  ['q=söh', ['0197a0-second']],
  ['q=0197a0', ['0197a0-second', '0197a0-first']],
  ['q=m2', ['m1']],
  [`q=${user}`, ['m1']],
  [`q=${idOf(2)}`, ['0197a0-first']],
  ['kind=identified', ['tom', 'm1']],
  ['kind=anonymous', ['long', '0197a0-second', '0197a0-first']],
  ['kind=users', ['m1']],
  ['kind=users&q=tom', []],
])('%s finds %j', async ([query, ids], { world: { found } }) => {
  expect(await found(query.replace('söh', 's%C3%B6h').replace('\\', '%5C'))).toEqual(ids)
})

test('a person is shown with their ids, devices, groups, properties and user', async ({ world: { call } }) => {
  const { body } = await (await call('developer'))('GET', `/people/${idOf(0)}`)
  expect(body.person).toMatchObject({ name: 'Maria Silva', events: 4, sessions: 2 })
  expect(body.ids).toEqual([
    {
      id: 'm1',
      events: 1,
      sessions: 1,
      firstSeenAt: '2026-03-30T10:00:00.000Z',
      lastSeenAt: '2026-03-30T10:00:00.000Z',
    },
    {
      id: 'm2',
      events: 3,
      sessions: 2,
      firstSeenAt: '2026-03-30T10:01:00.000Z',
      lastSeenAt: '2026-03-30T12:00:00.000Z',
    },
  ])
  expect(body.devices.map(({ browser, events }: { browser: string; events: number }) => [browser, events])).toEqual([
    ['Safari', 3],
    ['Chrome', 1],
  ])
  expect(body.groups).toEqual([{ type: 'company', key: 'acme', lastSeenAt: '2026-03-30T12:00:00.000Z' }])
  expect(body.properties).toContainEqual({ name: 'email', value: 'maria@corner.example', setAt: null })
  expect(body.user).toMatchObject({ id: user, account: { providers: ['email'], sessions: 2 } })
  const flags = await (await call('analyst'))('GET', `/people/${idOf(0)}/flags`)
  expect(flags.body).toEqual({
    distinctId: 'm2',
    flags: [{ key: 'm2-acme', value: true, reason: 'Condition 1 matched', payload: null, known: true }],
  })
})

test('an analyst is not told how a user signs in', async ({ world: { call } }) => {
  const { body } = await (await call('analyst'))('GET', `/people/${idOf(0)}`)
  expect(body.user).toEqual({ id: user, email: 'maria@corner.example', name: 'Maria Silva', account: null })
  expect((await (await call('analyst'))('GET', `/people/${idOf(99)}`)).body.code).toBe('CLEW_PEOPLE_NOT_FOUND')
})

test('viewers see no people, and a place that is none is refused', async ({ world: { call } }) => {
  expect((await (await call('viewer'))('GET', '/people')).status).toBe(403)
  const answer = await (await call('analyst'))('GET', '/people?before=there')
  expect(answer).toMatchObject({ status: 400, body: { code: 'CLEW_PEOPLE_CURSOR' } })
})
