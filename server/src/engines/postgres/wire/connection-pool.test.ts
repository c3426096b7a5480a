import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { openPool } from '../connection/connections.ts'
import { createConnectionPool } from './connection-pool.ts'

function openConnections(db: TestDatabase, size: number, acquireTimeoutMs = 5000) {
  const login = db.login('authenticator')
  const pool = openPool({ login, size, acquireTimeoutMs, applicationName: 'connections' })
  return { pool, connections: createConnectionPool(pool) }
}

test('callers take turns in the order of their asking, on as many connections as there may be', async ({ db }) => {
  const { pool, connections } = openConnections(db, 2)
  const [one, two] = [await connections.acquire(), await connections.acquire()]
  expect(one).not.toBe(two)
  const turns: string[] = []
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    const connection = await connections.acquire()
    turns.push(name)
    connections.release(connection, false)
  })
  connections.release(one, false)
  await Promise.all(waiting)
  expect(turns).toEqual(['a', 'b', 'c'])
  // Idle since: at once, and not another.
  expect(connections.acquire()).toBe(one)
  connections.release(one, false)
  connections.release(two, false)
  await pool.end()
})

test('a caller that waits too long is refused, and does not block the next', async ({ db }) => {
  const { pool, connections } = openConnections(db, 1, 200)
  const connection = await connections.acquire()
  await expect(connections.acquire()).rejects.toMatchObject({ code: 'POSTGRES_POOL_TIMEOUT' })
  const next = connections.acquire()
  connections.release(connection, false)
  expect(await next).toBe(connection)
  connections.release(connection, false)
  await pool.end()
})

test('a lost or discarded connection is replaced, also for a caller that waits', async ({ db }) => {
  const { pool, connections } = openConnections(db, 1)
  const unwanted = await connections.acquire()
  const next = connections.acquire()
  connections.release(unwanted, true)
  const lost = await next
  expect(lost).not.toBe(unwanted)
  connections.release(lost, false)
  await db.admin.query({
    text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'connections' and datname = current_database()`,
    values: [],
  })
  await expect.poll(() => lost.broken).toBe(true)
  const fresh = await connections.acquire()
  expect(fresh).not.toBe(lost)
  expect((await fresh.client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  connections.release(fresh, false)
  await pool.end()
})

test('an idle connection goes back to the pool, so that the pool can end', async ({ db }) => {
  const { pool, connections } = openConnections(db, 2)
  connections.release(await connections.acquire(), false)
  expect(pool.idleCount).toBe(0)
  await expect.poll(() => pool.idleCount).toBe(1)
  connections.release(await connections.acquire(), false)
  await pool.end()
  expect(pool.totalCount).toBe(0)
})

test('a refresh replaces idle connections, those of the pool, and those in use when they are released', async ({
  db,
}) => {
  const { pool, connections } = openConnections(db, 3)
  const [idle, pooled, taken] = [await connections.acquire(), await connections.acquire(), await connections.acquire()]
  connections.release(pooled, false)
  await expect.poll(() => pool.idleCount).toBe(1)
  connections.release(idle, false)
  expect(connections.gauges()).toEqual({ busy: 1, idle: 1, waiting: 0 })
  connections.refresh()
  connections.release(taken, false)
  const fresh = [await connections.acquire(), await connections.acquire(), await connections.acquire()]
  for (const connection of [idle, pooled, taken]) expect(fresh).not.toContain(connection)
  for (const connection of fresh) connections.release(connection, false)
  await pool.end()
})
