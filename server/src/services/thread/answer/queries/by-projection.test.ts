import { expect } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { readsIndexes } from '../../../../../test/index-reads.ts'
import { threadTables } from '../../index.ts'
import { countChangesByClaimStatement, countChangesStatement } from './changes.ts'
import { selectClaimsStatement, selectFirstChangesStatement, selectSessionsMeetingStatement } from './sessions.ts'

test('what is found by projections reads no index of the tables', async ({ clickhouse }) => {
  await clickhouse.migrate('thread', threadTables.clickhouse)
  const command = (text: string) => clickhouse.command({ text, parameters: {} })
  await command(`
    insert into requests (id, time, session_id, duration_ms, status, writes)
    select concat('request-', toString(number)), now64(3) - number, concat('session-', toString(intDiv(number, 10))), 5, 200, true
    from numbers(40000)`)
  await command(`
    insert into changes (commit_time, lsn, seq, request_id, operation, schema_name, table_name, key)
    select now64(3) - number, number, 0, concat('request-', toString(number)), 'update', 'public', 'orders', toString(cityHash64(number))
    from numbers(40000)`)
  const ids = ['session-7', 'session-2000']
  const requests = ['request-70', 'request-20000']
  for (const [rows, statement] of [
    [2, selectClaimsStatement(ids)],
    [2, selectSessionsMeetingStatement(ids, { requestMs: 5 })],
    [2, selectFirstChangesStatement(requests)],
    [2, countChangesStatement(requests)],
    [2, countChangesByClaimStatement(ids)],
  ] as const) {
    expect(await clickhouse.query(statement), statement.text).toHaveLength(rows)
    expect(await readsIndexes(clickhouse, statement), statement.text).toBe(false)
  }
  // The index is there, and read by what asks without a projection.
  const without = { text: `select path from requests where session_id = 'session-7'`, parameters: {} }
  expect(await readsIndexes(clickhouse, without)).toBe(true)
})
