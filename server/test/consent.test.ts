import pg from 'pg'
import { describe, expect } from 'vitest'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { test, visit } from './consent-world.ts'
import type { TestDatabase } from './harness.ts'
import { tablesWith } from './tables-with.ts'
import { ana } from './thread-world.ts'

const everywhere = [
  'clew_analytics.distinct_ids',
  'clew_analytics.persons',
  'clew_thread.session_users',
  'events',
  'group_visits',
  'group_visits_of_events',
  'page_uses',
  'page_uses_of_events',
  'requests',
  'snapshots',
  'visitor_days',
  'visitor_days_of_events',
  'web_vitals',
  'web_vitals_of_events',
]

test('where consent is required, nothing is stored of a visitor before they consent', async ({
  open,
  db,
  clickhouse,
}) => {
  const world = await open('required')
  const where = (id: string) => tablesWith(db, clickhouse, id, { except: ['consents', 'erasures'] })
  await visit(world, 'unasked')
  // An unchanged posthog-js captures it when its `opt_in_capturing()` is called.
  const optIn = { event: '$opt_in', uuid: uuidv7(), properties: { distinct_id: 'opted-in' } }
  expect(await world.post('/e/', optIn)).toBe(200)
  expect(await world.post('/consent', { distinct_id: 'agreed', granted: true })).toBe(200)
  await visit(world, 'opted-in', null)
  await visit(world, 'agreed')
  await expect.poll(() => where('agreed')).toEqual(everywhere)
  await expect.poll(() => where('opted-in')).toContain('events')
  // Who consented and then signs in is one person, under the new id as well.
  const identify = { distinct_id: 'ada', $anon_distinct_id: 'agreed' }
  await world.post('/e/', { event: '$identify', uuid: uuidv7(), properties: identify })
  await world.post('/e/', { event: 'ordered', uuid: uuidv7(), properties: { distinct_id: 'ada' } })
  await expect.poll(() => where('ada')).toContain('events')
  expect(await where('unasked')).toEqual([])
  expect(await world.post('/consent', { distinct_id: 'agreed' })).toBe(400)
  expect(await world.post('/consent', { granted: true })).toBe(400)
  expect(await world.post('/consent', { api_key: 'phc_other', distinct_id: 'x', granted: true })).toBe(401)
})

test('a withdrawal removes what was stored in both engines, and lets nothing in', async ({ open, db, clickhouse }) => {
  const world = await open('not_required')
  const where = (id: string) => tablesWith(db, clickhouse, id, { except: ['consents', 'erasures'] })
  await visit(world, 'leaving')
  await visit(world, 'staying', null)
  await expect.poll(() => where('leaving')).toEqual(everywhere)
  await expect.poll(() => where('staying')).toContain('requests')
  const stays = await where('staying')
  expect(await world.post('/consent/', { distinct_id: 'leaving', granted: false })).toBe(200)
  await visit(world, 'leaving')
  await visit(world, 'staying', null)
  await expect
    .poll(() => world.analytics.erasures.list(5), { timeout: 15_000 })
    .toMatchObject([{ state: 'done', steps_done: 8, steps: 8, error: null }])
  expect(await where('leaving')).toEqual([])
  expect(await where('staying')).toEqual(stays)
  // The requests themselves are no analytics: they stay, without a session.
  const untied = { text: `select count() as count from requests where session_id = ''`, parameters: {} }
  await expect.poll(async () => Number((await clickhouse.query<{ count: string }>(untied))[0]?.count)).toBe(2)

  // The user is known on another browser: what it was seen doing goes as well.
  await visit(world, 'phone')
  await expect.poll(() => where('phone'), { timeout: 15_000 }).toEqual([])
  expect(await world.post('/consent', { distinct_id: 'leaving', granted: true })).toBe(200)
  await visit(world, 'leaving', null)
  await expect.poll(() => where('leaving')).toContain('events')
})

test('a withdrawal waits while a hold is open: nothing goes, nothing more is stored, and others do not wait', async ({
  open,
  db,
  clickhouse,
}) => {
  let held = 'leaving'
  const world = await open('not_required', null, async (ids) => (ids.includes(held) ? 'A legal hold keeps it' : null))
  const where = (id: string) => tablesWith(db, clickhouse, id, { except: ['consents', 'erasures'] })
  const list = () => world.analytics.erasures.list(5)
  for (const id of ['leaving', 'free']) {
    await visit(world, id, null)
    await expect.poll(() => where(id)).toEqual(expect.arrayContaining(['events', 'requests', 'snapshots']))
  }
  const stored = await where('leaving')
  for (const id of ['leaving', 'free'])
    expect(await world.post('/consent/', { distinct_id: id, granted: false })).toBe(200)
  await expect.poll(() => where('free'), { timeout: 15_000 }).toEqual([])
  await expect.poll(async () => (await list()).map(({ error }) => error)).toContain('A legal hold keeps it')
  expect(await where('leaving')).toEqual(stored)
  held = 'nobody'
  await db.admin.query({ text: `update clew_analytics.erasures set leased_until = '-infinity'`, values: [] })
  await expect.poll(() => where('leaving'), { timeout: 15_000 }).toEqual([])
})

describe('an answer in the user’s metadata', () => {
  const other = '0199a1b2-0000-4000-8000-0000000000cc'
  const answer = (db: TestDatabase, user: string, metadata: object) =>
    db.admin.query({
      text: `insert into auth.users (id, raw_user_meta_data) values ($1, $2)
        on conflict (id) do update set raw_user_meta_data = excluded.raw_user_meta_data`,
      values: [user, JSON.stringify(metadata)],
    })

  test('is a consent where one is required, and of no other user', async ({ open, db, clickhouse, tables }) => {
    expect(tables).toBeUndefined()
    // One answered before the setting named the key.
    await answer(db, ana, { analytics: true })
    const world = await open('required', 'analytics')
    const where = (id: string) => tablesWith(db, clickhouse, id, { except: ['consents', 'erasures'] })
    await answer(db, other, { analytics: 'perhaps' })
    await visit(world, 'of-other', other)
    await visit(world, 'of-ana', ana)
    // What came before the sign-in was seen is not stored; what follows is.
    await expect
      .poll(
        async () =>
          (
            await db.admin.query({
              text: "select from clew_analytics.consents where distinct_id = 'of-ana' and granted",
              values: [],
            })
          ).rows,
      )
      .toHaveLength(1)
    await visit(world, 'of-ana', ana)
    await expect.poll(() => where('of-ana')).toEqual(expect.arrayContaining(['events', 'snapshots', 'requests']))
    expect(await where('of-other')).toEqual([])
  })

  test('is a withdrawal: what was stored goes, nothing follows, and other metadata says nothing', async ({
    open,
    db,
    clickhouse,
  }) => {
    const world = await open('not_required', 'analytics')
    const where = (id: string) => tablesWith(db, clickhouse, id, { except: ['consents', 'erasures'] })
    await answer(db, ana, { name: 'Ana' })
    await answer(db, other, { analytics: true, other: false })
    await visit(world, 'leaving', ana)
    await visit(world, 'staying', other)
    await expect.poll(() => where('leaving')).toEqual(everywhere)
    await expect.poll(() => where('staying')).toEqual(everywhere)
    await answer(db, ana, { name: 'Ana', analytics: false })
    await visit(world, 'leaving', ana)
    await expect.poll(() => where('leaving'), { timeout: 15_000 }).toEqual([])
    expect(await where('staying')).toEqual(everywhere)
    // A decision that is younger than the metadata stands, whatever else changes there.
    expect(await world.post('/consent', { distinct_id: 'leaving', granted: true })).toBe(200)
    await answer(db, ana, { name: 'Ana Lima', analytics: false })
    await visit(world, 'leaving', null)
    await expect.poll(() => where('leaving')).toContain('events')
  })
})

test('the application’s SQL decides for a signed-in user, and for no other', async ({ db, tables }) => {
  expect(tables).toBeUndefined()
  await db.admin.query({
    text: `with person as (
        insert into clew_analytics.persons (id, created_at, auth_user_id) values (gen_random_uuid(), now(), $1) returning id
      ) insert into clew_analytics.distinct_ids (distinct_id, person_id) select unnest(array['phone', 'laptop']), id from person`,
    values: [ana],
  })
  const client = new pg.Client(db.login('authenticator'))
  await client.connect()
  const decide = async (role: string, user: string | null, id: string): Promise<string> => {
    await client.query('begin')
    await client.query(`set local role ${role}`)
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify({ sub: user })])
    const outcome = await client.query('select clew.set_consent($1, false)', [id]).then(
      () => 'ok',
      (error: pg.DatabaseError) => error.code ?? '',
    )
    await client.query('commit')
    return outcome
  }
  expect(await decide('anon', null, 'phone')).toBe('42501')
  expect(await decide('authenticated', '0199a1b2-0000-4000-8000-0000000000bb', 'phone')).toBe('42501')
  expect(await decide('authenticated', ana, 'stranger')).toBe('42501')
  expect(await decide('authenticated', ana, 'phone')).toBe('ok')
  expect(await decide('service_role', null, 'stranger')).toBe('ok')
  // A type of the caller's session is not taken for PostgreSQL's: its check would run as the function's owner.
  await client.query(`set role service_role;
    create domain pg_temp.text as pg_catalog.text check (1 / pg_catalog.length(value) < 0)`)
  expect(await client.query(`select clew.set_consent('guest', true)`).then(() => 'ok')).toBe('ok')
  await client.query('drop domain pg_temp.text; reset role')
  const denied = await client
    .query('select clew_analytics.decide($1, true, now())', [['x']])
    .catch((error) => error.code)
  expect(denied).toBe('42501')
  await client.end()
  const { rows } = await db.admin.query<{ ids: readonly string[] }>({
    text: 'select array_agg(distinct_id order by distinct_id) as ids from clew_analytics.consents where not granted',
    values: [],
  })
  expect(rows[0]?.ids).toEqual([ana, 'laptop', 'phone', 'stranger'].toSorted())
})
