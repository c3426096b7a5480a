import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { noEvents, openWorld } from '../../../../test/thread-world.ts'
import type { OverviewDay } from '../schemas/overview.ts'

const hourMs = 3_600_000

test('the last day stands by the hour, with the hour before it', async ({ db, clickhouse }) => {
  const now = new Date()
  const dayAgo = now.getTime() - 24 * hourMs
  const visitors = [{ ago: 24, sessions: 2, people: 1 }]
  const inDayAgo = (ids: readonly string[]) => async (since: Date, until?: Date) =>
    since.getTime() <= dayAgo && until?.getTime() === dayAgo ? ids : []
  const world = await openWorld(db, clickhouse, {
    now: () => now,
    events: {
      ...noEvents,
      visitorHours: async (until, hours) => (until === now && hours === 25 ? visitors : []),
      sessionIdsSince: inDayAgo(['s1', 's2']),
      distinctIdsSince: inDayAgo(['d1']),
    },
  })
  const textOf = (hoursAgo: number): string =>
    new Date(now.getTime() - hoursAgo * hourMs).toISOString().replace('T', ' ').replace('Z', '')
  const request = (hoursAgo: number, status = 200) => ({
    ...{ id: `r${hoursAgo}`, time: textOf(hoursAgo), service: 'rest', method: 'GET', path: '/rest/v1/orders', status },
    ...{ duration_ms: 5, role: 'anon', writes: false },
  })
  await clickhouse.insert('requests', [request(0.01), request(0.9, 500), request(1.1), request(24.5, 404), request(26)])
  const change = (hoursAgo: number, seq: number) => ({
    ...{ commit_time: textOf(hoursAgo), lsn: 1, seq, xid: 1, request_id: '', operation: 'insert', old: '', new: '{}' },
    ...{ schema_name: 'public', table_name: 'orders', key: `{"id":"${seq}"}` },
  })
  await clickhouse.insert('changes', [change(0.5, 0), change(0.5, 0), change(0.6, 1), change(24.9, 2), change(25.1, 3)])
  const { body } = await world.get('/overview/day')
  const { hours, yesterday } = body as OverviewDay
  const none = { requests: 0, errors: 0, changes: 0, sessions: 0, people: 0 }
  expect(hours).toHaveLength(25)
  expect(hours.at(-1)).toEqual({ ...none, requests: 2, errors: 1, changes: 2 })
  expect(hours.at(-2)).toEqual({ ...none, requests: 1 })
  expect(hours[0]).toEqual({ requests: 1, errors: 1, changes: 1, sessions: 2, people: 1 })
  expect(yesterday).toEqual({ peopleNow: 1, sessionsToday: 2 })
  expect(hours.slice(1, -2)).toEqual(Array.from({ length: 22 }, () => none))
  expect((await world.get('/overview/day', 'viewer')).status).toBe(403)
  await world.thread.close()
})

test('every screen shows how many are here now and came today', async ({ db, clickhouse }) => {
  const seen: Date[] = []
  const world = await openWorld(db, clickhouse, {
    events: {
      ...noEvents,
      sessionIdsSince: async () => ['s1', 's2'],
      distinctIdsSince: async (since) => {
        seen.push(since)
        return ['d1']
      },
    },
  })
  expect((await world.get('/presence')).body).toEqual({ peopleNow: 1, sessionsToday: 2 })
  const [since] = seen
  expect(Date.now() - Number(since)).toBeGreaterThanOrEqual(5 * 60_000)
  expect((await world.get('/presence', 'viewer')).status).toBe(403)
  await world.thread.close()
})
