import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { type ClickHouse, createClickHouse, freezeTables } from '../src/engines/clickhouse/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { compileClickHouse } from '../src/ground/sql/clickhouse.ts'
import { compile } from '../src/ground/sql/postgres.ts'
import { sql } from '../src/ground/sql/sql.ts'
import { analyticsTables } from '../src/services/analytics/index.ts'
import { createPropertyColumns, type PropertyColumns } from '../src/services/analytics/properties/columns.ts'
import { isProperty } from '../src/services/analytics/properties/render.ts'
import { createArchiveWriter } from '../src/services/backups/copies/archive-writer.ts'
import { noPieces } from '../src/services/backups/copies/known-pieces.ts'
import { restoreArchive } from '../src/services/backups/copies/restore-archive.ts'
import { copyClickHouse } from '../src/services/backups/sources/copy-clickhouse.ts'
import { openFolderTarget } from '../src/services/backups/target/folder-target.ts'
import { test as base, openTestDatabase, type TestDatabase } from './harness.ts'

const open = new AbortController().signal
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const settings = { propertyColumns: 3, propertyColumnUses: 3, propertyColumnDays: 30 }

const test = base.extend('place', async ({ db }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-columns-'))
  const opened: (() => Promise<void>)[] = []
  onCleanup(async () => {
    for (const close of opened.toReversed()) await close()
    await rm(folder, { recursive: true })
  })
  await db.migrate('analytics', analyticsTables.postgres)
  return {
    folder,
    /** Starts ClickHouse on a new directory below the test's folder. */
    openEngine(name: string): ClickHouse {
      const clickhouse = createClickHouse({
        ...{ kind: 'embedded', dataDir: join(folder, name), socketPath: join(folder, `${name}.sock`) },
        ...{ memoryBytes: 300 * 1024 * 1024, log: () => undefined },
      })
      opened.push(clickhouse.close)
      return clickhouse
    },
    openColumns(database: TestDatabase, clickhouse: ClickHouse): PropertyColumns {
      const columns = createPropertyColumns({ sql: database.admin, clickhouse, settings, now: () => new Date(), log })
      opened.push(columns.close)
      return columns
    },
    async openOtherDatabase(): Promise<TestDatabase> {
      const other = await openTestDatabase()
      opened.push(other.close)
      await other.migrate('analytics', analyticsTables.postgres)
      return other
    },
  }
})

/** Events, a half of them of the plan. */
const storeEvents = (clickhouse: ClickHouse, from: number): Promise<void> =>
  clickhouse.insert(
    'events',
    Array.from({ length: 20 }, (_, n) => ({
      uuid: `00000000-0000-4000-8000-${String(from + n).padStart(12, '0')}`,
      ...{ event: 'ordered', distinct_id: 'ann', session_id: 'visit', timestamp: '2026-03-01 10:00:00' },
      properties: JSON.stringify(n % 2 === 0 ? { plan: 'pro', price: n } : { plan: 'free' }),
    })),
  )

async function ask(columns: PropertyColumns, ...properties: readonly string[]): Promise<void> {
  for (const property of properties) for (let time = 0; time < 3; time += 1) await columns.read(property)
}

/** So many events have the plan, by what statements read of it. */
async function countPro(clickhouse: ClickHouse, columns: PropertyColumns): Promise<number> {
  const isPro = isProperty(await columns.read('plan'), 'pro')
  const [row] = await clickhouse.query<{ rows: string }>(
    compileClickHouse(sql`select count() as rows from events where ${isPro}`),
  )
  return Number(row?.rows)
}

async function columnsIn(clickhouse: ClickHouse): Promise<readonly string[]> {
  const text = `select name from system.columns where table = 'events' and startsWith(name, 'property_') order by name`
  return (await clickhouse.query<{ name: string }>({ text, parameters: {} })).map(({ name }) => name)
}

const nextHour = (db: TestDatabase) =>
  db.admin.query(compile(sql`update clew_analytics.property_turn set taken_until = '-infinity'`))

/** A backup of ClickHouse, restored into a directory of the name. */
async function restoreCopy(clickhouse: ClickHouse, folder: string, from: string, to: string): Promise<void> {
  const target = openFolderTarget(join(folder, `${to}-backups`))
  const told = { pace: async () => undefined, progress: () => undefined }
  const writer = createArchiveWriter('clickhouse', { target, known: noPieces, ...told })
  const dataDir = join(folder, from)
  await copyClickHouse(writer, { freeze: () => freezeTables(clickhouse, dataDir), dataDir })
  const threads = createThreads({ threads: 1 })
  try {
    await restoreArchive(await writer.end(), join(folder, to), { target, threads, isKept: false, ...told })
  } finally {
    await threads.close()
  }
}

test('a restored copy has its columns, and reads them, whatever PostgreSQL knows of them', async ({ db, place }) => {
  const clickhouse = place.openEngine('data')
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  await storeEvents(clickhouse, 0)
  const columns = place.openColumns(db, clickhouse)
  await ask(columns, 'plan', 'price')
  await columns.choose(open)
  await storeEvents(clickhouse, 100)
  await restoreCopy(clickhouse, place.folder, 'data', 'restored')

  const copy = place.openEngine('restored')
  await copy.migrate('analytics', analyticsTables.clickhouse)
  expect(await columnsIn(copy)).toEqual(['property_plan', 'property_price'])
  // PostgreSQL of the same moment.
  const along = place.openColumns(db, copy)
  expect(await along.list()).toMatchObject([
    { property: 'plan', isFilled: true },
    { property: 'price', isFilled: true },
  ])
  expect(await countPro(copy, along)).toBe(20)
  // PostgreSQL of a moment before there were any, where one of them alone is asked for.
  const earlier = await place.openOtherDatabase()
  const fresh = place.openColumns(earlier, copy)
  expect([await fresh.list(), await countPro(copy, fresh)]).toEqual([[], 20])
  await ask(fresh, 'plan')
  await fresh.choose(open)
  expect(await fresh.list()).toMatchObject([{ property: 'plan', isFilled: true }])
  expect(await columnsIn(copy)).toEqual(['property_plan', 'property_price'])
  await storeEvents(copy, 200)
  expect(await countPro(copy, place.openColumns(earlier, copy))).toBe(30)
})

test('a copy that was made while a column is written has it written by the next turn', async ({ db, place }) => {
  const clickhouse = place.openEngine('data')
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  await storeEvents(clickhouse, 0)
  const columns = place.openColumns(db, clickhouse)
  await ask(columns, 'plan')
  await expect(columns.choose(AbortSignal.abort())).rejects.toThrow()
  await restoreCopy(clickhouse, place.folder, 'data', 'restored')

  const copy = place.openEngine('restored')
  const restored = place.openColumns(db, copy)
  expect(await restored.list()).toMatchObject([{ property: 'plan', isFilled: false }])
  expect(await countPro(copy, restored)).toBe(10)
  await nextHour(db)
  await restored.choose(open)
  expect(await restored.list()).toMatchObject([{ property: 'plan', isFilled: true }])
  expect(await countPro(copy, restored)).toBe(10)
})

test('migrations leave columns that they do not know, and read past them', async ({ db, place }) => {
  const before = join(place.folder, 'migrations')
  cpSync(fileURLToPath(analyticsTables.clickhouse), before, {
    recursive: true,
    filter: (path) => !/0(00[4-9]|01\d)_/.test(path),
  })
  const clickhouse = place.openEngine('data')
  await clickhouse.migrate('analytics', pathToFileURL(`${before}/`))
  await storeEvents(clickhouse, 0)
  const columns = place.openColumns(db, clickhouse)
  await ask(columns, 'plan')
  await columns.choose(open)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  await storeEvents(clickhouse, 100)
  expect(await columnsIn(clickhouse)).toEqual(['property_plan'])
  const upgraded = place.openColumns(db, clickhouse)
  expect(await upgraded.list()).toMatchObject([{ property: 'plan', isFilled: true }])
  expect(await countPro(clickhouse, upgraded)).toBe(20)
})
