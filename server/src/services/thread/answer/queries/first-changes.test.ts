import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { threadTables } from '../../index.ts'
import { type FirstChangeRow, selectFirstChangesStatement } from './sessions.ts'

/** Changes of rows that the table's key scatters, one of an order and then two of its lines for each request. */
const changes = (from: number, count: number): string => `
  insert into changes (commit_time, lsn, seq, xid, request_id, operation, schema_name, table_name, key)
  select now64(3), intDiv(number, 3) + 1, number % 3, 1, concat('request-', leftPad(toString(intDiv(number, 3)), 6, '0')),
    if(number % 3 = 0, 'update', 'insert'), 'public', if(number % 3 = 0, 'orders', 'lines'),
    concat('{"id":"', toString(cityHash64(number) % 5000), '"}')
  from numbers(${from}, ${count})`

test('what requests changed first is read in their order, of changes stored before as well', async ({ clickhouse }) => {
  const command = (text: string) => clickhouse.command({ text, parameters: {} })
  const before = mkdtempSync(join(tmpdir(), 'clew-before-'))
  cpSync(fileURLToPath(threadTables.clickhouse), before, {
    recursive: true,
    filter: (path) => !path.includes('/0017_'),
  })
  await clickhouse.migrate('thread', pathToFileURL(`${before}/`))
  rmSync(before, { recursive: true })
  await command(changes(0, 60_000))
  await clickhouse.migrate('thread', threadTables.clickhouse)
  await command(changes(60_000, 60_000))
  const unfinished = { text: 'select count() as n from system.mutations where not is_done', parameters: {} }
  await expect.poll(() => clickhouse.query(unfinished)).toEqual([{ n: '0' }])

  // Delivered twice.
  await command(changes(30, 3))
  const statement = selectFirstChangesStatement(['request-000010', 'request-030000', 'request-none'])
  const first = { schema_name: 'public', table_name: 'orders', operation: 'update', rows: '1' }
  expect(await clickhouse.query<FirstChangeRow>(statement)).toMatchObject([
    { ...first, request_id: 'request-000010' },
    { ...first, request_id: 'request-030000' },
  ])
  const { text, parameters } = statement
  const plan = await clickhouse.query<{ explain: string }>({ text: `explain ${text}`, parameters })
  const reads = plan.flatMap(({ explain }) => /ReadFromMergeTree \(([^)]+)\)/.exec(explain)?.[1] ?? [])
  expect(reads).toEqual(['by_request'])
})
