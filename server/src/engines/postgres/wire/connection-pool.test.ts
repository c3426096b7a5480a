import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { openPool } from '../connection/connections.ts'
import { createLanes } from './connection-pool.ts'

function openLanes(db: TestDatabase, size: number, acquireTimeoutMs = 5000) {
  const login = db.login('authenticator')
  const pool = openPool({ login, size, acquireTimeoutMs, applicationName: 'lanes' })
  return { pool, lanes: createLanes(pool) }
}

test('callers take turns in the order of their asking, on as many connections as there may be', async ({ db }) => {
  const { pool, lanes } = openLanes(db, 2)
  const [one, two] = [await lanes.take(), await lanes.take()]
  expect(one).not.toBe(two)
  const turns: string[] = []
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    const lane = await lanes.take()
    turns.push(name)
    lanes.give(lane, false)
  })
  lanes.give(one, false)
  await Promise.all(waiting)
  expect(turns).toEqual(['a', 'b', 'c'])
  // Rested since: at once, and the same.
  expect(lanes.take()).toBe(one)
  lanes.give(one, false)
  lanes.give(two, false)
  await pool.end()
})

test('who waits too long is refused, and does not stand in the way of the next', async ({ db }) => {
  const { pool, lanes } = openLanes(db, 1, 200)
  const lane = await lanes.take()
  await expect(lanes.take()).rejects.toMatchObject({ code: 'POSTGRES_POOL_TIMEOUT' })
  const next = lanes.take()
  lanes.give(lane, false)
  expect(await next).toBe(lane)
  lanes.give(lane, false)
  await pool.end()
})

test('a connection that was lost or is not wanted is replaced, also for who waits', async ({ db }) => {
  const { pool, lanes } = openLanes(db, 1)
  const unwanted = await lanes.take()
  const next = lanes.take()
  lanes.give(unwanted, true)
  const lost = await next
  expect(lost).not.toBe(unwanted)
  lanes.give(lost, false)
  await db.admin.query({
    text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lanes' and datname = current_database()`,
    values: [],
  })
  await expect.poll(() => lost.broken).toBe(true)
  const fresh = await lanes.take()
  expect(fresh).not.toBe(lost)
  expect((await fresh.client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  lanes.give(fresh, false)
  await pool.end()
})

test('a lane that rests goes back to the pool, so that the pool can end', async ({ db }) => {
  const { pool, lanes } = openLanes(db, 2)
  lanes.give(await lanes.take(), false)
  expect(pool.idleCount).toBe(0)
  await expect.poll(() => pool.idleCount).toBe(1)
  lanes.give(await lanes.take(), false)
  await pool.end()
  expect(pool.totalCount).toBe(0)
})

test('a refreshment replaces what rests, what the pool keeps, and what is taken when it is given back', async ({
  db,
}) => {
  const { pool, lanes } = openLanes(db, 3)
  const [idle, pooled, taken] = [await lanes.take(), await lanes.take(), await lanes.take()]
  lanes.give(pooled, false)
  await expect.poll(() => pool.idleCount).toBe(1)
  lanes.give(idle, false)
  expect(lanes.gauges()).toEqual({ busy: 1, idle: 1, waiting: 0 })
  lanes.refresh()
  lanes.give(taken, false)
  const fresh = [await lanes.take(), await lanes.take(), await lanes.take()]
  for (const lane of [idle, pooled, taken]) expect(fresh).not.toContain(lane)
  for (const lane of fresh) lanes.give(lane, false)
  await pool.end()
})
