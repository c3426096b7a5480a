import { describe, expect } from 'vitest'
import { appliedMigrations, type ClickHouse } from '../src/engines/clickhouse/index.ts'
import type { ServiceTables } from '../src/ground/model/service-tables.ts'
import { serviceTables } from '../src/plan/tables/service-tables.ts'
import { test as base } from './harness.ts'
import { keepMadeTables } from './made-tables.ts'

const rooms = serviceTables.filter(({ clickhouse }) => clickhouse !== undefined)

async function migrate(clickhouse: ClickHouse, some: readonly ServiceTables[] = rooms): Promise<void> {
  for (const { name, clickhouse: folder } of some) if (folder !== undefined) await clickhouse.migrate(name, folder)
}

const look = async (engine: ClickHouse) => {
  const text = `
    select name, create_table_query as statement, toString(ifNull(total_rows, 0)) as rows
    from system.tables where database = currentDatabase() and name != 'migrations' order by name`
  return {
    tables: await engine.query<{ name: string; rows: string }>({ text, parameters: {} }),
    files: await appliedMigrations(engine),
  }
}

/** The ids of tables, which others of the same name do not have. */
const idsOf = async ({ query }: ClickHouse) => {
  const text = 'select name, toString(uuid) as id from system.tables where database = currentDatabase() order by name'
  return query<{ name: string; id: string }>({ text, parameters: {} })
}

const event = { uuid: '00000000-0000-4000-8000-000000000001', event: 'seen', distinct_id: 'ada' }

describe('tables of a process', () => {
  const test = base.extend('kept', async ({ clickhouseOfFile: engine }, { onCleanup }) => {
    const kept = keepMadeTables(engine)
    onCleanup(kept.drop)
    /** What a test of one's own does with the database, from its beginning to its end. */
    const during = async <T>(act: (clickhouse: ClickHouse) => Promise<T>): Promise<T> => {
      const { clickhouse, end } = kept.begin()
      return act(clickhouse).finally(end)
    }
    return { engine, during, drop: kept.drop }
  })

  test('are those of the migrations, and count as migrated, however they came to be', async ({ kept }) => {
    await migrate(kept.engine)
    const migrated = await look(kept.engine)
    // Migrated, kept, made from memory, and kept again.
    await kept.drop()
    for (const isDropped of [false, false, true, false]) {
      if (isDropped) await kept.drop()
      await kept.during(async (clickhouse) => {
        await migrate(clickhouse)
        expect(await look(clickhouse)).toEqual(migrated)
        await migrate(clickhouse)
        expect(await look(clickhouse)).toEqual(migrated)
      })
    }
  })

  test('stay for the next test, without a row, and take what was inserted before once more', async ({ kept }) => {
    const insert = async (clickhouse: ClickHouse) => {
      await migrate(clickhouse)
      expect((await look(clickhouse)).tables.every(({ rows }) => rows === '0')).toBe(true)
      await clickhouse.insert('events', [event], { token: 'one' })
      expect(await clickhouse.query({ text: 'select event from events', parameters: {} })).toEqual([{ event: 'seen' }])
      return idsOf(clickhouse)
    }
    const first = await kept.during(insert)
    expect(await kept.during(insert)).toEqual(first)
  })

  test('are gone for a test that migrates others, or none', async ({ kept }) => {
    const [first, second] = rooms
    if (first === undefined || second === undefined) throw new Error('Two rooms have tables.')
    await kept.during((clickhouse) => migrate(clickhouse))
    expect(await kept.during(look)).toEqual({ tables: [], files: [] })
    const alone = await kept.during(async (clickhouse) => {
      await migrate(clickhouse, [second])
      return look(clickhouse)
    })
    expect(alone.tables.length).toBeGreaterThan(0)
    await kept.during((clickhouse) => migrate(clickhouse, [first, second]))
    const some = await kept.during(async (clickhouse) => {
      await migrate(clickhouse, [second])
      return look(clickhouse)
    })
    expect(some).toEqual(alone)
  })

  test('are made anew after a test that changed one or made another', async ({ kept }) => {
    const before = await kept.during(async (clickhouse) => {
      await migrate(clickhouse)
      return look(clickhouse)
    })
    for (const text of [
      'alter table events add column more String',
      'create table more (n Int8) engine = MergeTree order by n',
    ]) {
      await kept.during(async (clickhouse) => {
        await migrate(clickhouse)
        await clickhouse.command({ text, parameters: {} })
      })
      const after = await kept.during(async (clickhouse) => {
        await migrate(clickhouse)
        return look(clickhouse)
      })
      expect(after).toEqual(before)
    }
  })
})
