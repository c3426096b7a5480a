import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { isClickHouseRowFault } from '../clickhouse/index.ts'
import { salvaging } from './salvage.ts'

test('a row that does not fit is left out, all others are stored once', async ({ clickhouseOfFile: clickhouse }) => {
  const command = (text: string) => clickhouse.command({ text, parameters: {} })
  await command(`create table salvaged (id UInt32, at Date) engine = ReplacingMergeTree order by id`)
  const logged: object[] = []
  const log = { info: () => undefined, warn: () => undefined, error: (details: object) => logged.push(details) }
  const sink = salvaging('salvaged', (lines) => clickhouse.insertLines('salvaged', lines), isClickHouseRowFault, log)
  const row = (id: number, at = '2026-01-02') => `{"id":${id},"at":"${at}"}`
  const blocks = [
    Buffer.from([row(1), row(2), row(3, 'never')].join('\n')),
    Buffer.from(row(4)),
    Buffer.from([row(5), '{"id":"six"', row(7)].join('\n')),
  ]
  await sink(blocks)
  await sink(blocks)
  const rows = await clickhouse.query<{ id: number }>({
    text: 'select id from salvaged final order by id',
    parameters: {},
  })
  expect(rows.map(({ id }) => Number(id))).toEqual([1, 2, 4, 5, 7])
  expect(logged).toHaveLength(4)
  await expect(
    salvaging('x', (lines) => clickhouse.insertLines('missing', lines), isClickHouseRowFault, log)(blocks),
  ).rejects.toThrow()
})
