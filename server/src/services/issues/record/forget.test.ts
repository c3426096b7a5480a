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
  await forgetExceptions(clickhouse, ['an unknown id'])
  expect(await kept()).toHaveLength(3)
  await forgetExceptions(clickhouse, ['ann', 'ann’s phone'])
  expect(await kept()).toEqual([{ id: 'e3' }])
  // As an erasure that goes on after a crash does.
  await forgetExceptions(clickhouse, ['ann', 'ann’s phone'])
  expect(await kept()).toEqual([{ id: 'e3' }])
})
