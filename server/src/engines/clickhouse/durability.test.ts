import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createClickHouse } from './index.ts'

vi.setConfig({ testTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'clew-ch-'))
const clickhouse = createClickHouse({
  kind: 'embedded',
  dataDir: join(folder, 'data'),
  socketPath: join(folder, 's'),
  memoryBytes: 300 * 1024 * 1024,
  log: () => undefined,
})

afterAll(async () => {
  await clickhouse.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Thirty by `npm run trials`. */
const kills = Number(process.env.CLEW_TRIALS ?? 3)
const batchRows = 40

test('rows whose insert was answered survive the engine’s death, each once', async () => {
  await clickhouse.command({
    text: `create table numbered (batch UInt32, id UInt32) engine = ReplacingMergeTree order by (batch, id)
      settings non_replicated_deduplication_window = 1000`,
    parameters: {},
  })
  let batch = 0
  let refused = 0
  for (let round = 0; round < kills; round += 1) {
    const { pid } = await clickhouse.health()
    expect(pid).not.toBeNull()
    const dies = 3 + (round % 10)
    for (let answered = 0; ; ) {
      const rows = Array.from({ length: batchRows }, (_, id) => ({ batch, id }))
      const send = (): Promise<void> => clickhouse.insert('numbered', rows)
      const insert = send()
      if (answered === dies && pid !== null) {
        // Not a wait for something: the moment of death, spread over an insert's few milliseconds.
        await new Promise((resolve) => setTimeout(resolve, round % 10))
        process.kill(pid, 'SIGKILL')
      }
      try {
        await insert
      } catch {
        // What the spool does: the same batch again, until it is answered. The first try may meet
        // another kept connection to the process that is gone.
        refused += 1
        await send().catch(send).catch(send)
      }
      batch += 1
      answered += 1
      if (answered > dies) break
    }
    await expect
      .poll(async () => {
        const health = await clickhouse.health().catch(() => null)
        return health?.state === 'up' && health.pid !== pid
      })
      .toBe(true)
  }
  expect(refused).toBeGreaterThan(0)
  const [found] = await clickhouse.query({
    text: `select count() as rows, uniqExact(batch, id) as different, uniqExact(batch) as batches from numbered final`,
    parameters: {},
  })
  expect(found).toEqual({
    rows: String(batch * batchRows),
    different: String(batch * batchRows),
    batches: String(batch),
  })
})
