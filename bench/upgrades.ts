import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ClickHouse, createClickHouse } from '../server/src/engines/clickhouse/index.ts'
import { analyticsTables } from '../server/src/services/analytics/index.ts'
import { replayTables } from '../server/src/services/replay/index.ts'
import { threadTables } from '../server/src/services/thread/index.ts'
import { add } from './compare.ts'
import { eventsOf, fillLists } from './lists-data.ts'

const sessions = Number(process.env.BENCH_UPGRADE_SESSIONS ?? 500_000)
const memoryBytes = 1024 ** 3
/** Up to these files each room's tables are filled. */
const rooms = [
  { room: 'analytics', folder: analyticsTables.clickhouse, filledAt: '0002' },
  { room: 'replay', folder: replayTables.clickhouse, filledAt: '0002' },
  { room: 'thread', folder: threadTables.clickhouse, filledAt: '0006' },
] as const

/** What each migration of ClickHouse takes over the rows of an early version, and what it leaves to be done in the background. */
export async function measureUpgrades(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-upgrades-'))
  const clickhouse = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketPath: join(folder, 's'),
    memoryBytes,
    log: (line) => process.stderr.write(`  ${line}\n`),
  })
  const tell = (line: string) => process.stderr.write(`  ${line}\n`)
  try {
    for (const { room, folder: all, filledAt } of rooms) await migrateTo(clickhouse, room, all, filledAt, tell)
    await fillLists(clickhouse, { sessions, days: 30, endMs: Date.now() }, tell)
    const rows = `${eventsOf({ sessions, days: 30, endMs: 0 }).toLocaleString('en')} events`
    for (const { room, folder: all, filledAt } of rooms) {
      const files = readdirSync(all).map((name) => name.slice(0, 4))
      for (const file of files.filter((name) => name > filledAt).sort()) {
        const startedAt = performance.now()
        await migrateTo(clickhouse, room, all, file, tell)
        add(`upgrade, ${rows}: ${room} ${file}`, `${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
      }
    }
    const startedAt = performance.now()
    while ((await unfinished(clickhouse)) > 0) await new Promise((resolve) => setTimeout(resolve, 1000))
    add(`upgrade, ${rows}: left for the background`, `${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  } finally {
    await clickhouse.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function migrateTo(
  clickhouse: ClickHouse,
  room: string,
  all: URL,
  last: string,
  tell: (line: string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-migrations-'))
  const isEarlier = (path: string) => !path.endsWith('.sql') || basename(path).slice(0, 4) <= last
  cpSync(fileURLToPath(all), folder, { recursive: true, filter: isEarlier })
  await clickhouse.migrate(room, pathToFileURL(`${folder}/`), tell)
  rmSync(folder, { recursive: true })
}

async function unfinished(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.query<{ n: string }>({
    text: 'select count() as n from system.mutations where not is_done',
    parameters: {},
  })
  return Number(row?.n ?? 0)
}
