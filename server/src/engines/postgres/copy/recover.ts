import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddedOptions } from '../options.ts'
import { startEmbedded } from '../server/embedded.ts'

/** Log that is replayed takes its time: a day of a busy instance is some gigabytes. */
const recoveryLimitMs = 6 * 3_600_000

/**
 * Makes the files of a base backup a cluster that starts by itself: replays its log and begins a timeline of its own,
 * so that no place in the log means two things.
 *
 * @param options of the restored files
 * @throws POSTGRES_START_FAILED with what the server says
 */
export async function recoverCluster(options: Omit<EmbeddedOptions, 'recovery'>): Promise<void> {
  await writeFile(join(options.dataDir, 'recovery.signal'), '', { mode: 0o600 })
  const server = await startEmbedded({ ...options, recovery: { limitMs: recoveryLimitMs } })
  await server.stop()
}
