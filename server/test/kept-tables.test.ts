import { expect } from 'vitest'
import { compileClickHouse } from '../src/ground/sql/clickhouse.ts'
import { constant, identifier, join, sql } from '../src/ground/sql/sql.ts'
import { serviceTables } from '../src/plan/tables/service-tables.ts'
import { test } from './harness.ts'

const partitionKeys = {
  day: /^toYYYYMMDD\(/,
  week: /^toMonday\(/,
}

test('what rooms say of their tables that grow is what these tables are', async ({ clickhouse }) => {
  for (const { name, clickhouse: folder } of serviceTables)
    if (folder !== undefined) await clickhouse.migrate(name, folder)
  const kept = serviceTables.flatMap((tables) => tables.kept ?? [])
  expect(kept.length).toBeGreaterThan(5)
  const tables = await clickhouse.query<{ name: string; partition_key: string; create_table_query: string }>(
    compileClickHouse(sql`
      select name, partition_key, create_table_query from system.tables where database = currentDatabase()`),
  )
  for (const { name, time, partition, ties } of kept) {
    const table = tables.find((each) => each.name === name)
    expect(table, name).toBeDefined()
    if (partition === null) expect(table?.partition_key, name).toBe('')
    else expect(table?.partition_key, name).toMatch(partitionKeys[partition])
    // A merge asks nobody what is kept longer.
    expect(table?.create_table_query, name).not.toContain(' TTL ')
    const { session, request, trace, ids = [] } = ties
    const tied = [session, request, trace, ...ids].filter((each) => each !== undefined)
    expect(tied.length, name).toBeGreaterThan(0)
    const types = await clickhouse.query<{ type: string }>(
      compileClickHouse(sql`describe (select ${join(tied.map((each) => identifier(each)))} from ${identifier(name)})`),
    )
    expect(new Set(types.map(({ type }) => type)), name).toEqual(new Set(['String']))
    const [column] = await clickhouse.query<{ type: string }>(
      compileClickHouse(sql`describe (select ${constant(time)} as time from ${identifier(name)})`),
    )
    expect(column?.type, name).toMatch(/^DateTime64\(3/)
  }
})
