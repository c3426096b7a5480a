import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { sql } from '../../../ground/sql/sql.ts'
import { issuesTables } from '../index.ts'
import { forgetExceptions } from './forget.ts'

test('exceptions of a forgotten person are gone under every id, those of others stay', async ({ clickhouse }) => {
  await clickhouse.migrate('issues', issuesTables.clickhouse)
  const now = sql`now64(3)`
  await clickhouse.command(
    compileClickHouse(sql`
      insert into exceptions (id, distinct_id, client_time, time, received_at)
      values ('e1', 'ann', ${now}, ${now}, ${now}), ('e2', 'ann’s phone', ${now}, ${now}, ${now}),
        ('e3', 'bob', ${now}, ${now}, ${now})`),
  )
  const kept = () => clickhouse.query(compileClickHouse(sql`select id from exceptions order by id`))
  const before = { receivedMs: Date.now() + 60_000, happenedMs: 0 }
  await forgetExceptions(clickhouse, ['an unknown id'], before)
  expect(await kept()).toHaveLength(3)
  await forgetExceptions(clickhouse, ['ann', 'ann’s phone'], before)
  expect(await kept()).toEqual([{ id: 'e3' }])
  // As an erasure that goes on after a crash does.
  await forgetExceptions(clickhouse, ['ann', 'ann’s phone'], before)
  expect(await kept()).toEqual([{ id: 'e3' }])
})

test('of an id that consented again goes what arrived before, and what happened before', async ({ clickhouse }) => {
  await clickhouse.migrate('issues', issuesTables.clickhouse)
  const [noon, one, two] = ['12', '13', '14'].map((hour) => `2026-03-02 ${hour}:00:00.000`)
  const row = (id: string, happened: string | undefined, received: string | undefined) => ({
    ...{ id, distinct_id: 'ann', client_time: happened, time: happened, received_at: received },
  })
  await clickhouse.insert('exceptions', [row('early', noon, noon), row('late', noon, two), row('new', two, two)])
  const before = Date.parse(`${one}Z`)
  await forgetExceptions(clickhouse, ['ann'], { receivedMs: before, happenedMs: before })
  expect(await clickhouse.query(compileClickHouse(sql`select id from exceptions`))).toEqual([{ id: 'new' }])
})
