import { expect } from 'vitest'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import type { KeptLonger } from '../src/ground/model/kept-longer.ts'
import type { HoldWish } from '../src/services/retention/holds/holds.ts'
import type { Retention } from '../src/services/retention/index.ts'
import { daysLater, everyTable, now, oldDay, test } from './holds-world.ts'

const ada = '0199a1b2-0000-4000-8000-00000000000a'
const adaPerson = '0199a1b2-0000-4000-8000-0000000000aa'
const withoutErrors = everyTable.filter((table) => table !== 'exceptions')

const minuteMs = 60_000

const hold = ({ holds }: Retention, subject: HoldWish['subject'], until: Date | null = null) =>
  holds.place(uuidv7(), { subject, reason: 'Claim 12', until }, 'own@team.test')

test('without a hold and a rule all that is past its lifetime goes, and nothing is looked up', async ({ world }) => {
  await world.visit({ session: 's1', distinctId: 'a', status: 500 })
  await world.visit({ session: 'fresh', distinctId: 'a', at: now.toISOString() })
  const retention = world.open()
  expect(await retention.keptLonger.condition('requests')).toBeNull()
  await world.expire(retention)
  expect(await world.left()).toEqual({ fresh: withoutErrors })
  expect(await world.clickhouse.query({ text: 'select 1 from kept_longer', parameters: {} })).toEqual([])
})

test('a held session stays in every table until its hold ends, and others go', async ({ world }) => {
  await world.visit({ session: 's1', distinctId: 'a', status: 500 })
  await world.visit({ session: 's2', distinctId: 'a', status: 500 })
  const retention = world.open()
  const { id } = await hold(retention, { kind: 'session', sessionId: 's1' })
  await world.expire(retention)
  expect(await world.left()).toEqual({ s1: everyTable })
  await retention.holds.end(id, 'own@team.test', 'Settled')
  await world.expire(retention)
  expect(await world.left()).toEqual({})
})

test('a hold whose time has run out keeps nothing', async ({ world }) => {
  await world.visit({ session: 's1', distinctId: 'a' })
  const retention = world.open()
  await hold(retention, { kind: 'session', sessionId: 's1' }, new Date(now.getTime() + daysLater(2)))
  await world.expire(retention)
  expect(await world.left()).toEqual({ s1: withoutErrors })
  world.later(daysLater(3))
  await world.expire(retention)
  expect(await world.left()).toEqual({})
})

test('a held person keeps their sessions in every table, on each of their ids, and those they are known by later', async ({
  world,
}) => {
  const run = (text: string) => world.db.admin.query({ text, values: [] })
  await run(
    `insert into clew_analytics.persons (id, created_at, auth_user_id) values ('${adaPerson}', now(), '${ada}')`,
  )
  await run(`insert into clew_analytics.distinct_ids values ('laptop', '${adaPerson}')`)
  await world.visit({ session: 's1', distinctId: 'laptop' })
  await world.visit({ session: 's2', distinctId: 'other', userId: ada })
  await world.visit({ session: 's3', distinctId: 'phone' })
  await world.visit({ session: 's4', distinctId: 'bob' })
  const retention = world.open()
  await hold(retention, { kind: 'person', key: { personId: adaPerson } })
  await run(`insert into clew_analytics.distinct_ids values ('phone', '${adaPerson}')`)
  await world.expire(retention)
  expect(await world.left()).toEqual({ s1: withoutErrors, s2: withoutErrors, s3: withoutErrors })
  // What analytics forget of the person's ids is held all the same.
  await run(`delete from clew_analytics.distinct_ids where person_id = '${adaPerson}'`)
  world.later(daysLater(1))
  await world.expire(retention)
  expect(Object.keys(await world.left())).toEqual(['s1', 's2', 's3'])
})

test('a held span keeps what was stored in it, and the whole of the sessions that it touches', async ({ world }) => {
  await world.visit({ session: 'within', distinctId: 'a' })
  await world.visit({ session: 'before', distinctId: 'b', at: '2025-12-31T12:00:00.000Z' })
  await world.visit({ session: 'touching', distinctId: 'c', at: '2025-12-31T12:00:00.000Z' })
  await world.clickhouse.insert('requests', [
    { id: 'touching', session_id: 'touching', time: '2026-01-01 00:00:00.000' },
  ])
  const retention = world.open()
  const span = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-02T00:00:00Z') }
  await hold(retention, { kind: 'span', ...span })
  await world.expire(retention)
  expect(await world.left()).toEqual({ within: withoutErrors, touching: withoutErrors })
})

test('a session with an error stays for the days of the rule, whatever kind the error is', async ({ world }) => {
  const at = '2026-02-15T12:00:00.000Z'
  await world.visit({ session: 'thrown', distinctId: 'a', at, status: 500 })
  await world.visit({ session: 'refused', distinctId: 'a', at, status: 404 })
  await world.visit({ session: 'left', distinctId: 'a', at, status: 499 })
  await world.visit({ session: 'long ago', distinctId: 'a', at: oldDay, status: 500 })
  const retention = world.open({ sessionsWithErrorsDays: 30 })
  await world.expire(retention)
  expect(await world.left()).toEqual({ thrown: everyTable, refused: withoutErrors })
  world.later(daysLater(20))
  await world.expire(retention)
  expect(await world.left()).toEqual({})
})

test('sign-ins of held sessions are known as long as the sessions', async ({ world }) => {
  const retention = world.open()
  await world.visit({ session: 's1', distinctId: 'a' })
  await hold(retention, { kind: 'session', sessionId: 's1' })
  await hold(retention, { kind: 'span', from: new Date('2026-01-01T00:00:00Z'), to: null })
  await world.visit({ session: 's2', distinctId: 'b' })
  world.later(daysLater(1))
  expect([...(await retention.keptLonger.sessions())].toSorted()).toEqual(['s1', 's2'])
})

test('a deletion whose pass is gone deletes nothing', async ({ world }) => {
  await world.visit({ session: 's1', distinctId: 'a' })
  const retention = world.open()
  await hold(retention, { kind: 'session', sessionId: 'another' })
  const condition: KeptLonger['condition'] = async (table) => {
    const kept = await retention.keptLonger.condition(table)
    await world.clickhouse.command({ text: 'truncate table kept_longer', parameters: {} })
    return kept
  }
  await world.expire({ ...retention, keptLonger: { ...retention.keptLonger, condition } })
  expect(await world.left()).toEqual({ s1: withoutErrors })
  await world.expire(retention)
  expect(await world.left()).toEqual({ s1: withoutErrors })
  world.later(2 * minuteMs)
  await world.expire(retention)
  expect(await world.left()).toEqual({})
})

test('passes of earlier days are dropped', async ({ world }) => {
  const retention = world.open()
  await hold(retention, { kind: 'session', sessionId: 's1' })
  const passes = async () => {
    const text = 'select uniqExact(pass) as passes from kept_longer'
    return (await world.clickhouse.query<{ passes: string }>({ text, parameters: {} }))[0]?.passes
  }
  await retention.keptLonger.condition('requests')
  await retention.keptLonger.condition('events')
  expect(await passes()).toBe('1')
  world.later(daysLater(1))
  await retention.keptLonger.condition('requests')
  expect(await passes()).toBe('2')
  world.later(daysLater(10))
  await retention.keptLonger.condition('requests')
  expect(await passes()).toBe('1')
})

test('the holds on a person are those on them, on a session of theirs, and on a span in which they were there', async ({
  world,
}) => {
  await world.visit({ session: 's1', distinctId: 'a' })
  await world.visit({ session: 's2', distinctId: 'b', at: '2026-02-01T12:00:00.000Z' })
  const retention = world.open()
  const session = await hold(retention, { kind: 'session', sessionId: 's1' })
  const span = { from: new Date('2026-02-01T00:00:00Z'), to: new Date('2026-02-02T00:00:00Z') }
  const days = await hold(retention, { kind: 'span', ...span })
  const person = await hold(retention, { kind: 'person', key: { userId: ada } })
  const on = async (...distinctIds: string[]) => (await retention.holdsOn({ distinctIds })).map(({ id }) => id)
  expect(await on('a')).toEqual([session.id])
  expect(await on('b')).toEqual([days.id])
  expect(await on(ada)).toEqual([person.id])
  expect(await on('b', 'a')).toEqual([session.id, days.id])
  expect(await on('c')).toEqual([])
  await retention.holds.end(session.id, 'own@team.test', 'Settled')
  expect(await on('a')).toEqual([])
})
