import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { createConsents } from '../consent/consent.ts'
import type { IdentityChange } from '../identity/change.ts'
import { createPersons } from '../identity/persons.ts'
import { analyticsSettings, analyticsTables } from '../index.ts'
import { groupName, type SeenInEvents, seenInLines, seenInRows } from './lines.ts'
import { createSeen, type SeenDeps } from './seen.ts'

const { values: settings } = readSettings(analyticsSettings, [])
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const minute = 60_000
const start = Date.parse('2026-03-01T12:00:00Z')
const at = (minutes: number): number => start + minutes * minute
const now = (): Date => new Date(at(1000))

const change = (distinctId: string, otherId: string | null, atMs = start): IdentityChange => ({
  ...{ uuid: uuidv7(), distinctId, otherId, dangerous: false, set: null, setOnce: null, unset: [], atMs },
})

/** Ids, each at an instant. */
const seenAt = (instants: readonly (readonly [id: string, atMs: number])[]): SeenInEvents => ({
  ids: new Map(instants.map(([id, atMs]) => [id, { firstMs: atMs, lastMs: atMs }])),
  groups: new Map(),
})

const test = base.extend('world', async ({ db, clickhouseOfFile: clickhouse }, { onCleanup }) => {
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const deps: SeenDeps = { sql: db.admin, clickhouse, settings, now, log: silent }
  const seen = createSeen(deps)
  const consents = createConsents(db.admin, false)
  const persons = createPersons({ sql: db.admin, consents, now, newId: uuidv7, settings, log: silent })
  /** Minutes after the start, by the ids of each person. */
  const stored = async (): Promise<Readonly<Record<string, number>>> => {
    const { rows } = await db.admin.query<{ ids: string; at: Date }>({
      text: `select string_agg(d.distinct_id, ' ' order by d.distinct_id) as ids, s.last_seen_at as at
        from clew_analytics.persons_seen s join clew_analytics.distinct_ids d on d.person_id = s.person_id
        group by s.person_id`,
      values: [],
    })
    return Object.fromEntries(rows.map(({ ids, at }) => [ids, (at.getTime() - start) / minute]))
  }
  const sent = (distinctId: string, minutes: number, properties: object = {}): Promise<void> =>
    clickhouse.insert('events', [
      {
        ...{ uuid: uuidv7(), event: 'seen', distinct_id: distinctId, properties: JSON.stringify(properties) },
        ...{ timestamp: at(minutes), client_time: at(minutes), received_at: at(minutes) },
      },
    ])
  onCleanup(async () => {
    for (const table of ['events', 'visitor_days', 'group_visits'])
      await clickhouse.command({ text: `truncate table ${table}`, parameters: {} })
  })
  return { db, deps, seen, persons, stored, sent }
})

test('the latest instant of each id is read of lines, whatever stands in their names', () => {
  const line = (event: string, id: string, ms: number, rest = '{}') =>
    JSON.stringify([uuidv7(), event, id, 's', 'w', ms, ms + 5, null, ms]).replace(/]$/, `,"","",true,${rest}]`)
  const odd = 'Åsa "the \\ first", 1,2\u2028'
  const blocks = [
    Buffer.from([line('seen', 'ada', 5), line('seen', odd, 7), line('seen', 'ada', 9)].join('\n')),
    Buffer.from(line(`["${'ö'.repeat(600)}`, 'ada', -3)),
    Buffer.from(line('seen', 'x'.repeat(900), 4, '{"distinct_id":"eve"}')),
  ]
  const { ids } = seenInLines(blocks)
  expect([...ids]).toEqual([
    ['ada', { firstMs: -3, lastMs: 9 }],
    [odd, { firstMs: 7, lastMs: 7 }],
    ['x'.repeat(900), { firstMs: 4, lastMs: 4 }],
  ])
})

test('groups are read of events that name or describe them, whatever stands around them', () => {
  const line = (event: string, ms: number, properties: object) =>
    JSON.stringify([uuidv7(), event, 'ada', 's', 'w', ms, ms, null, ms, '', true, properties])
  const lines = [
    line('seen', 1, { a: { $groups: { company: 'nested' } } }),
    line('seen', 2, { $groups: { company: 'acme', project: 7, team: '', of: { x: 1 } } }),
    line('seen', 3, { text: '"$groups":{"company":"said"}' }),
    line('seen', 4, { $groups: { company: 'with } and \\" of' } }),
    line('seen', 5, { $groups: { company: 'acme', project: 7, team: '', of: { x: 1 } } }),
    line('$groupidentify', 6, { $group_type: 'company', $group_key: 'beta', $group_set: {} }),
    line('seen', 7, { $group_type: 'company', $group_key: 'gone' }),
    line('seen', 8, { $groups: '[masked]' }),
  ]
  const { groups } = seenInLines([Buffer.from(lines.join('\n'))])
  expect([...groups]).toEqual([
    [groupName('company', 'acme'), { firstMs: 2, lastMs: 5 }],
    [groupName('project', '7'), { firstMs: 2, lastMs: 5 }],
    [groupName('company', 'with } and \\" of'), { firstMs: 4, lastMs: 4 }],
    [groupName('company', 'beta'), { firstMs: 6, lastMs: 6 }],
  ])
  const properties = { $groups: { company: 'acme' } }
  for (const stored of [properties, JSON.stringify(properties)]) {
    const row = { distinct_id: 'ada', event: 'seen', timestamp: '2026-03-01 12:00:00.250', properties: stored }
    expect(seenInRows([JSON.stringify(row)])).toEqual({
      ids: new Map([['ada', { firstMs: start + 250, lastMs: start + 250 }]]),
      groups: new Map([[groupName('company', 'acme'), { firstMs: start + 250, lastMs: start + 250 }]]),
    })
  }
})

test('a group is seen from its first event on, where its type has a number', async ({ world: { db, seen } }) => {
  await db.admin.query({
    text: `insert into clew_analytics.group_types (type, index, created_at) values ('company', 0, now())`,
    values: [],
  })
  const line = (minutes: number, groups: object) =>
    Buffer.from(
      JSON.stringify([uuidv7(), 'seen', 'ada', 's', 'w', at(minutes), at(minutes), null, 1, { $groups: groups }]),
    )
  const stored = async () => {
    const { rows } = await db.admin.query<{ key: string; first: Date; last: Date }>({
      text: 'select key, first_seen_at as first, last_seen_at as last from clew_analytics.groups_seen order by key',
      values: [],
    })
    return rows.map(({ key, first, last }) => [
      key,
      (first.getTime() - start) / minute,
      (last.getTime() - start) / minute,
    ])
  }
  await seen.stored([line(10, { company: 'acme', sixth: 'x' }), line(11.5, { company: 'acme' })])
  await seen.stored([line(11.9, { company: 'acme' })])
  expect(await stored()).toEqual([['acme', 10, 11.5]])
  // One that comes late, and one of a clock that is ahead.
  await seen.stored([line(3, { company: 'acme' }), line(5000, { company: 'beta' })])
  expect(await stored()).toEqual([
    ['acme', 3, 11.5],
    ['beta', 1000, 1000],
  ])
})

test('a person is seen when they appear, and with each later event, of any id', async ({
  world: { seen, persons, stored },
}) => {
  await persons.apply([change('ada', 'laptop'), change('bob', null, at(3))])
  expect(await stored()).toEqual({ 'ada laptop': 0, bob: 3 })
  await seen.note(seenAt([['laptop', at(10)]]))
  await seen.note(seenAt([['ada', at(5)]]))
  await seen.note(seenAt([['eve', at(20)]]))
  expect(await stored()).toEqual({ 'ada laptop': 10, bob: 3 })
  // A clock that is ahead.
  await seen.note(seenAt([['bob', at(5000)]]))
  expect(await stored()).toEqual({ 'ada laptop': 10, bob: 1000 })
})

test('what follows within the step writes nothing', async ({ world: { seen, persons, stored } }) => {
  await persons.apply([change('ada', null)])
  for (const minutes of [10, 10.5, 10.9]) await seen.note(seenAt([['ada', at(minutes)]]))
  expect(await stored()).toEqual({ ada: 10 })
  await seen.note(seenAt([['ada', at(11)]]))
  expect(await stored()).toEqual({ ada: 11 })
})

test('what PostgreSQL does not take is noted with the next events', async ({ world: { deps, persons, stored } }) => {
  await persons.apply([change('ada', null), change('bob', null)])
  let isDown = true
  const transaction: SeenDeps['sql']['transaction'] = async (work) => {
    if (isDown) throw new Error('The server is gone.')
    return deps.sql.transaction(work)
  }
  const seen = createSeen({ ...deps, sql: { ...deps.sql, transaction } })
  await seen.note(seenAt([['ada', at(10)]]))
  await seen.note(seenAt([['ada', at(12)]]))
  isDown = false
  await seen.note(seenAt([['bob', at(7)]]))
  expect(await stored()).toEqual({ ada: 12, bob: 7 })
})

test('who is merged was seen as both; who is split, as each did', async ({
  world: { seen, persons, stored, sent, db },
}) => {
  await persons.apply([change('ada', null), change('phone', null), change('tablet', null)])
  await seen.note(seenAt([['ada', at(10)]]))
  await seen.note(seenAt([['phone', at(30)]]))
  await persons.apply([
    { ...change('ada', 'phone'), dangerous: true },
    { ...change('ada', 'tablet'), dangerous: true },
  ])
  expect(await stored()).toEqual({ 'ada phone tablet': 30 })

  await sent('ada', 10)
  await sent('phone', 30)
  const { rows } = await db.admin.query<{ id: string }>({ text: 'select id from clew_analytics.persons', values: [] })
  const personId = rows[0]?.id ?? ''
  for (const id of ['phone', 'tablet']) {
    const outcome = await persons.split({ personId, distinctIds: [id] })
    if (outcome.kind === 'split') await seen.recount(outcome.personId)
  }
  await seen.recount(personId)
  // Of the third no event is stored.
  expect(await stored()).toEqual({ ada: 10, phone: 30, tablet: 0 })
})

test('what the list is narrowed by follows the person', async ({ world: { db, persons } }) => {
  const kinds = async (): Promise<unknown> =>
    (
      await db.admin.query({
        text: `select d.distinct_id as id, s.is_identified as identified, s.is_user as "user"
          from clew_analytics.persons_seen s join clew_analytics.distinct_ids d on d.person_id = s.person_id order by 1`,
        values: [],
      })
    ).rows
  await persons.apply([change('ada', null), change('bob', null)])
  const bob = { id: 'bob', identified: false, user: false }
  expect(await kinds()).toEqual([{ id: 'ada', identified: false, user: false }, bob])
  await persons.apply([change('ada', 'laptop')])
  const userId = uuidv7()
  await persons.link({ distinctId: 'ada', userId, at: now() })
  const known = { identified: true, user: true }
  expect(await kinds()).toEqual([{ id: 'ada', ...known }, bob, { id: 'laptop', ...known }])
})

test('of who withdrew and consented again it is not known when they were seen before', async ({
  world: { db, seen, persons, stored },
}) => {
  await persons.apply([change('ada', 'laptop'), change('bob', null)])
  await seen.note(
    seenAt([
      ['ada', at(10)],
      ['bob', at(10)],
    ]),
  )
  const decide = (granted: boolean, minutes: number) =>
    db.admin.query({
      text: `select clew_analytics.decide('{ada}', $1, $2)`,
      values: [granted, new Date(at(minutes)).toISOString()],
    })
  await decide(false, 20)
  await decide(true, 40)
  await persons.forget(['ada'], { happenedMs: at(40), receivedMs: at(40) })
  expect(await stored()).toEqual({ 'ada laptop': 40, bob: 10 })
})

test('what was stored before there was an order is looked through once, and goes on where it ended', async ({
  world: { db, deps, persons, stored, sent },
}) => {
  await persons.apply(['ada', 'bob', 'cleo'].map((id) => change(id, null)))
  for (const [id, minutes] of [
    ['ada', 5],
    ['bob', 9],
    ['cleo', 7],
    ['eve', 8],
  ] as const)
    await sent(id, minutes)
  const state = async () =>
    (
      await db.admin.query({
        text: `select after_id from clew_analytics.persons_seen_fill
          union all select after_id from clew_analytics.groups_seen_fill`,
        values: [],
      })
    ).rows
  expect(await state()).toEqual([])
  const fill = async (): Promise<void> => {
    const seen = createSeen(deps)
    seen.start()
    await expect.poll(state).toEqual([])
    await seen.close()
  }
  await fill()
  expect(await stored()).toEqual({ ada: 0, bob: 0, cleo: 0 })
  await db.admin.query({ text: `insert into clew_analytics.persons_seen_fill (after_id) values ('ada')`, values: [] })
  await fill()
  expect(await stored()).toEqual({ ada: 0, bob: 9, cleo: 7 })

  // Groups that events only named, and one that was described and is named since.
  await db.admin.query({
    text: `insert into clew_analytics.group_types (type, index, created_at) values ('company', 0, now());`,
    values: [],
  })
  for (const [key, minutes] of [
    ['acme', 4],
    ['acme', 6],
    ['beta', 2],
    ['zeta', 3],
  ] as const)
    await sent('ada', minutes, { $groups: { company: key, sixth: 'x' } })
  await db.admin.query({
    text: `insert into clew_analytics.groups_seen_fill (after_id) values ($1)`,
    values: [groupName('company', 'a')],
  })
  await fill()
  const { rows } = await db.admin.query<{ key: string; first: Date; last: Date }>({
    text: 'select key, first_seen_at as first, last_seen_at as last from clew_analytics.groups_seen order by key',
    values: [],
  })
  const minutesOf = (at: Date): number => (at.getTime() - start) / minute
  expect(rows.map(({ key, first, last }) => [key, minutesOf(first), minutesOf(last)])).toEqual([
    ['acme', 4, 6],
    ['beta', 2, 2],
    ['zeta', 3, 3],
  ])
})
