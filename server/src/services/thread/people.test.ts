import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { ana, openWorld, tagged } from '../../../test/thread-world.ts'

const ben = '0199a1b2-0000-4000-8000-0000000000ba'

test('two people order at one browser: each order names its own', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse)
  await db.load('create table orders (id int primary key, item text)')
  await world.call(`insert into orders values (1, 'Espresso')`, { headers: tagged })
  await world.call(`insert into orders values (2, 'Mocha')`, { headers: tagged, user: ben })
  for (const [id, userId] of [
    [1, ana],
    [2, ben],
  ] as const) {
    const path = `/data/public/orders/history?key=${encodeURIComponent(JSON.stringify({ id }))}`
    await expect
      .poll(async () => (await world.get(path)).body, { timeout: 30_000 })
      .toMatchObject({ entries: [{ cause: { kind: 'session', person: { userId, email: `${userId}@example.test` } } }] })
  }
  await world.thread.close()
})
