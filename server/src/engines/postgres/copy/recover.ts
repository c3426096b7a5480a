import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openClient } from '../connection/connections.ts'
import type { EmbeddedOptions } from '../options.ts'
import { startEmbedded } from '../server/embedded.ts'
import { owner } from '../server/roles.ts'
import { socketLogins } from '../server/server.ts'

/** Log that is replayed takes its time: a day of a busy instance is some gigabytes. */
const recoveryLimitMs = 6 * 3_600_000
/** What PostgreSQL says where nothing was committed after the moment that it was to stop at (`xlogrecovery.c`). */
const endedBefore = 'recovery ended before configured recovery target was reached'

/** What the log of a base backup came to. */
export interface RecoveredCluster {
  /** Where the last record that was replayed ends, as `0/3A000060`. */
  readonly replayedLsn: string
  /** Of the last transaction that was replayed; null where there was none. */
  readonly committedAt: Date | null
  /** Whether all of the log was replayed. */
  readonly isToTheEnd: boolean
}

/**
 * Makes the files of a base backup a cluster that starts by itself: replays its log and begins a timeline of its own,
 * so that no place in the log means two things. Nothing is flushed: `flushCluster` does where the files are kept.
 *
 * @param options of the restored files
 * @param until   what was committed later is left out; null for all that the log holds
 * @throws POSTGRES_START_FAILED with what the server says
 */
export async function recoverCluster(
  options: Omit<EmbeddedOptions, 'recovery'>,
  until: Date | null = null,
): Promise<RecoveredCluster> {
  await writeFile(join(options.dataDir, 'recovery.signal'), '', { mode: 0o600 })
  const open = (target: { readonly until?: Date }) =>
    startEmbedded({ ...options, recovery: { limitMs: recoveryLimitMs, ...target } })
  let isToTheEnd = until === null
  const server = await open(until === null ? {} : { until }).catch((error: unknown) => {
    // All of the log is of before: it was replayed to its end, and goes on from there.
    if (!detailsOf(error).includes(endedBefore)) throw error
    isToTheEnd = true
    return open({})
  })
  try {
    const client = await openClient(socketLogins(server, owner).admin, 'clew backup')
    try {
      const { rows } = await client.query<Omit<RecoveredCluster, 'isToTheEnd'>>(
        `select pg_catalog.pg_last_wal_replay_lsn()::text as "replayedLsn",
           pg_catalog.pg_last_xact_replay_timestamp() as "committedAt"`,
      )
      const [recovered] = rows
      if (recovered === undefined) throw new Error('The server does not know what it has replayed.')
      return { ...recovered, isToTheEnd }
    } finally {
      await client.end()
    }
  } finally {
    await server.stop()
  }
}

const detailsOf = (error: unknown): string =>
  error instanceof Error && 'details' in error ? String(error.details) : ''
