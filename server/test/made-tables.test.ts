import { expect } from 'vitest'
import { appliedMigrations, type ClickHouse } from '../src/engines/clickhouse/index.ts'
import { serviceTables } from '../src/plan/tables/service-tables.ts'
import { test } from './harness.ts'
import { withMadeTables } from './made-tables.ts'

const migrateAll = async ({ migrate }: ClickHouse): Promise<void> => {
  for (const { name, clickhouse } of serviceTables) if (clickhouse !== undefined) await migrate(name, clickhouse)
}

test('tables that are made from memory are those of the migrations, and count as migrated', async ({
  clickhouseOfFile: engine,
  clickhouse,
}) => {
  const look = async () => {
    const text =
      'select name, create_table_query as statement from system.tables where database = currentDatabase() order by name'
    return {
      tables: await engine.query<{ name: string }>({ text, parameters: {} }),
      files: await appliedMigrations(engine),
    }
  }
  const drop = async () => {
    for (const { name } of (await look()).tables)
      await engine.command({ text: `drop table ${name} sync`, parameters: {} })
  }
  await migrateAll(engine)
  const migrated = await look()
  // The first may be the one that remembers.
  for (const remembering of [clickhouse, withMadeTables(engine), withMadeTables(engine)]) {
    await drop()
    await migrateAll(remembering)
    expect(await look()).toEqual(migrated)
    await migrateAll(remembering)
    expect(await look()).toEqual(migrated)
  }
})
