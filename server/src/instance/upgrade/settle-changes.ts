import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createChangeWorker } from '../../change-worker/index.ts'
import { createClickHouse } from '../../engines/clickhouse/index.ts'
import { changesCaughtUp, type UnsettledChanges } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { planClickHouse } from '../../plan/engines.ts'
import { createMasks } from '../../services/privacy/index.ts'
import { threadTables } from '../../services/thread/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { Directory } from '../directory.ts'

const lookEveryMs = 100

export interface SettleChangesDeps {
  readonly settings: Settings
  readonly directory: Directory
  /** Logs a line. */
  readonly log: (line: string) => void
}

/**
 * Stores the row changes that a database's log still holds for histories, while nothing else runs on it: another cluster's log has
 * none of them.
 *
 * @throws CLEW_UPGRADE_CHANGES
 */
export async function settleChanges(
  { source, query }: UnsettledChanges,
  { settings, directory, log }: SettleChangesDeps,
): Promise<void> {
  const { changesSeconds } = settings.upgrade
  const limitMs = changesSeconds * 1000
  const clickhouse = createClickHouse(planClickHouse(settings, directory, log))
  try {
    await clickhouse.ready()
    await clickhouse.migrate('thread', threadTables.clickhouse)
    const worker = createChangeWorker(
      () => ({
        ...{ source, clickhouse: clickhouse.address, settings: settings.thread },
        stuckMs: settings.spool.stuckSeconds * 1000,
        refused: { folder: join(directory.spool, 'refused', 'changes'), limitBytes: settings.spool.refusedBytes },
      }),
      log,
      undefined,
      undefined,
      createMasks({ query }),
    )
    try {
      const end = performance.now() + limitMs
      // Until the stream is read, its place says nothing.
      while (worker.health().state !== 'up' && performance.now() < end) await delay(lookEveryMs)
      const isRead = worker.health().state === 'up'
      const { signal } = new AbortController()
      if (!isRead || !(await changesCaughtUp({ query }, { limitMs: end - performance.now(), signal })))
        throw instanceError('CLEW_UPGRADE_CHANGES', { details: worker.health().detail })
    } finally {
      await worker.close()
    }
  } finally {
    await clickhouse.close()
  }
}
