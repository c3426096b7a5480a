import { expect } from 'vitest'
import { compileClickHouse } from '../src/ground/sql/clickhouse.ts'
import { constant, identifier, sql } from '../src/ground/sql/sql.ts'
import { serviceTables } from '../src/plan/tables/service-tables.ts'
import { test } from './harness.ts'

const partitionKeys = {
  day: /^toYYYYMMDD\(/,
  week: /^toMonday\(/,
}

/** Their services delete what is past its lifetime: a TTL would leave it in their projections. */
const deleted = ['changes', 'snapshots']

test('what rooms say of their tables that grow is what these tables are', async ({ clickhouse }) => {
  for (const { name, clickhouse: folder } of serviceTables)
    if (folder !== undefined) await clickhouse.migrate(name, folder)
  const kept = serviceTables.flatMap((tables) => tables.kept ?? [])
  expect(kept.length).toBeGreaterThan(5)
  const tables = await clickhouse.query<{ name: string; partition_key: string; create_table_query: string }>(
    compileClickHouse(sql`
      select name, partition_key, create_table_query from system.tables where database = currentDatabase()`),
  )
  for (const { name, time, partition, expires } of kept) {
    const table = tables.find((each) => each.name === name)
    expect(table, name).toBeDefined()
    if (partition === null) expect(table?.partition_key, name).toBe('')
    else expect(table?.partition_key, name).toMatch(partitionKeys[partition])
    expect(table?.create_table_query.includes(' TTL '), name).toBe(expires && !deleted.includes(name))
    const [column] = await clickhouse.query<{ type: string }>(
      compileClickHouse(sql`describe (select ${constant(time)} as time from ${identifier(name)})`),
    )
    expect(column?.type, name).toMatch(/^DateTime64\(3/)
  }
})
