import { expect } from 'vitest'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { type Opened, test, visit } from './consent-world.ts'
import type { TestDatabase } from './harness.ts'
import { tablesWith } from './tables-with.ts'
import { ana } from './thread-world.ts'

const hourMs = 3_600_000
const tablesOfSession = [
  'clew_thread.session_users',
  'events',
  'group_visits',
  'group_visits_of_events',
  'page_uses',
  'page_uses_of_events',
  'requests',
  'snapshots',
  'web_vitals',
  'web_vitals_of_events',
]

const decide = async ({ post }: Opened, id: string, granted: boolean): Promise<void> =>
  expect(await post('/consent', { distinct_id: id, granted })).toBe(200)

/** Begins erasures that wait, as if their lease had ended. */
const endLeases = (db: TestDatabase) =>
  db.admin.query({ text: `update clew_analytics.erasures set leased_until = '-infinity'`, values: [] })

const states = async ({ analytics }: Opened): Promise<readonly string[]> =>
  (await analytics.erasures.list(50)).map(({ state }) => state)

const allDone = (world: Opened) =>
  expect.poll(async () => new Set(await states(world)), { timeout: 20_000 }).toEqual(new Set(['done']))

/** What is stored of a visitor: names of their events, properties of their person, and the events that their days count. */
async function kept(db: TestDatabase, clickhouse: ClickHouse, id: string) {
  const events = await clickhouse.query<{ event: string }>({
    text: 'select event from events where distinct_id = {id:String} order by event',
    parameters: { id },
  })
  const days = await clickhouse.query<{ count: string }>({
    text: 'select uniqMerge(events) as count from visitor_days where distinct_id = {id:String}',
    parameters: { id },
  })
  const { rows } = await db.admin.query<{ properties: object }>({
    text: `select p.properties from clew_analytics.persons p
      join clew_analytics.distinct_ids d on d.person_id = p.id where d.distinct_id = $1`,
    values: [id],
  })
  return { events: events.map(({ event }) => event), days: Number(days[0]?.count), person: rows[0]?.properties ?? null }
}

test('what a visitor does after a new consent stays, while what they did before is still to be removed', async ({
  open,
  db,
  clickhouse,
}) => {
  let held = true
  const world = await open('not_required', null, async () => (held ? 'A legal hold keeps it' : null))
  const where = (session: string) => tablesWith(db, clickhouse, session)
  const before = await visit(world, 'ada', undefined, { plan: 'old', mail: 'old' })
  await expect.poll(() => where(before)).toEqual(tablesOfSession)
  await decide(world, 'ada', false)
  const between = await visit(world, 'ada')
  await decide(world, 'ada', true)
  const after = await visit(world, 'ada', undefined, { plan: 'new' })
  await expect.poll(() => where(after)).toEqual(tablesOfSession)
  expect(await where(before)).toEqual(tablesOfSession)
  held = false
  await endLeases(db)
  await allDone(world)
  expect(await where(before)).toEqual([])
  expect(await where(between)).toEqual([])
  expect(await where(after)).toEqual(tablesOfSession)
  expect(await kept(db, clickhouse, 'ada')).toEqual({
    events: ['$pageview', '$web_vitals'],
    days: 2,
    person: { plan: 'new' },
  })
})

const userOf = async ({ analytics }: Opened, id: string) => (await analytics.personsByDistinctId([id])).get(id)?.userId

test.for(['required', 'not_required'] as const)(
  'a signed-in user is tied to their browser by the first call after a consent, where it is %s',
  async (consent, { open }) => {
    const world = await open(consent)
    await visit(world, 'ada')
    await decide(world, 'ada', true)
    await visit(world, 'ada')
    await expect.poll(() => userOf(world, 'ada')).toBe(ana)
    await decide(world, 'ada', false)
    await visit(world, 'ada')
    await allDone(world)
    expect(await userOf(world, 'ada')).toBeUndefined()
    await decide(world, 'ada', true)
    await visit(world, 'ada')
    await expect.poll(() => userOf(world, 'ada')).toBe(ana)
  },
)

test('a signed-in user is tied to their browser soon after a consent in SQL, which another process may have run', async ({
  open,
  db,
}) => {
  const world = await open('required')
  const say = (granted: boolean) =>
    db.admin.query({ text: 'select clew.set_consent($1, $2)', values: ['ada', granted] })
  await visit(world, 'ada')
  const visited = async () => {
    await visit(world, 'ada')
    return userOf(world, 'ada')
  }
  await say(true)
  await expect.poll(visited).toBe(ana)
  await say(false)
  await allDone(world)
  await say(true)
  await expect.poll(visited).toBe(ana)
})

test('of four decisions within a moment the last holds, and only what follows it is stored', async ({
  open,
  db,
  clickhouse,
}) => {
  const world = await open('not_required')
  const where = (session: string) => tablesWith(db, clickhouse, session)
  const gone = [await visit(world, 'ada')]
  for (const granted of [false, true, false, true]) {
    await decide(world, 'ada', granted)
    if (!granted) gone.push(await visit(world, 'ada'))
  }
  const last = await visit(world, 'ada', undefined, { plan: 'new' })
  await expect.poll(() => where(last)).toEqual(tablesOfSession)
  await allDone(world)
  for (const session of gone) expect(await where(session)).toEqual([])
  expect(await where(last)).toEqual(tablesOfSession)
  expect(await kept(db, clickhouse, 'ada')).toEqual({
    events: ['$pageview', '$web_vitals'],
    days: 2,
    person: { plan: 'new' },
  })
})

test('what happened before the withdrawal and comes late is not stored, by our clock and not by the client’s', async ({
  open,
  db,
  clickhouse,
}) => {
  const world = await open('not_required')
  await decide(world, 'ada', false)
  await decide(world, 'ada', true)
  await allDone(world)
  const clientNow = Date.now() - 2 * hourMs
  const send = (event: string, ageMs: number) =>
    world.post('/batch/', {
      batch: [
        {
          ...{ event, uuid: uuidv7(), timestamp: new Date(clientNow - ageMs).toISOString() },
          properties: { distinct_id: 'ada', $set: { [event]: true } },
        },
      ],
      sent_at: new Date(clientNow).toISOString(),
    })
  // Its clock is two hours behind ours: as the client writes it, all of it was before.
  expect(await send('queued', hourMs)).toBe(200)
  expect(await send('done', 0)).toBe(200)
  await expect.poll(async () => (await kept(db, clickhouse, 'ada')).events).toContain('done')
  await expect.poll(async () => world.analytics.waiting().lagMs).toBe(0)
  expect(await kept(db, clickhouse, 'ada')).toEqual({ events: ['done'], days: 1, person: { done: true } })
})

test('a withdrawal that comes after a newer consent takes what was before it', async ({ open, db, clickhouse }) => {
  const world = await open('not_required')
  const before = await visit(world, 'ada')
  await expect.poll(() => tablesWith(db, clickhouse, before)).toEqual(tablesOfSession)
  await decide(world, 'ada', true)
  const after = await visit(world, 'ada')
  await expect.poll(() => tablesWith(db, clickhouse, after)).toEqual(tablesOfSession)
  // It waited for an hour.
  const times = { timestamp: new Date(Date.now() - hourMs).toISOString(), sent_at: new Date().toISOString() }
  const optOut = { event: '$opt_out', uuid: uuidv7(), ...times, properties: { distinct_id: 'ada' } }
  expect(await world.post('/e/', optOut)).toBe(200)
  await expect.poll(async () => (await states(world)).length, { timeout: 15_000 }).toBe(1)
  await allDone(world)
  expect(await tablesWith(db, clickhouse, before)).toEqual([])
  expect(await tablesWith(db, clickhouse, after)).toEqual(tablesOfSession)
})

test('a removal that ends in the middle goes on, and leaves what a consent has let in since', async ({
  open,
  db,
  clickhouse,
}) => {
  let failures = 1
  const fail = async (): Promise<void> => {
    if (failures-- > 0) throw new Error('killed')
  }
  const world = await open('not_required', null, undefined, [fail])
  const before = await visit(world, 'ada', undefined, { plan: 'old' })
  await expect.poll(() => tablesWith(db, clickhouse, before)).toEqual(tablesOfSession)
  await decide(world, 'ada', false)
  await expect.poll(async () => (await world.analytics.erasures.list(1))[0]?.error).toBe('killed')
  await decide(world, 'ada', true)
  const after = await visit(world, 'ada', undefined, { mood: 'new' })
  await expect.poll(() => tablesWith(db, clickhouse, after)).toEqual(tablesOfSession)
  await endLeases(db)
  await allDone(world)
  expect(await tablesWith(db, clickhouse, before)).toEqual([])
  expect(await tablesWith(db, clickhouse, after)).toEqual(tablesOfSession)
  expect(await kept(db, clickhouse, 'ada')).toEqual({
    events: ['$pageview', '$web_vitals'],
    days: 2,
    person: { mood: 'new' },
  })
})
