import { keepWal } from '../../services/backups/index.ts'
import { printTransient } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { BackupOptions } from './options.ts'
import { withServer } from './source.ts'
import { withBackups } from './target.ts'

/**
 * Keeps PostgreSQL's log as it is written, until a signal or the end of the instance.
 *
 * @throws the CLEW_BACKUP_… errors, CLEW_NOT_RUNNING
 */
export async function wal(options: BackupOptions): Promise<number> {
  const settings = await settingsOf({ project: options.project, data: options.data })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  await withBackups(settings, options, (target) =>
    withServer(settings, (server) =>
      keepWal(server, {
        target,
        settings: settings.backup,
        now: () => new Date(),
        nowMs: () => performance.now(),
        signal: stopping.signal,
        kept: ({ untilLsn, untilAt }) => printTransient(`  kept until ${untilLsn}, ${untilAt ?? 'and going on'}`),
      }),
    ),
  )
  return 0
}
