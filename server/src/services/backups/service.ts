import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { backupRoutes } from './routes.ts'
import type { Backups } from './schedule.ts'

/**
 * Backups in the console, in the health of the instance and among its numbers.
 *
 * @param backups null where none are made
 */
export const backupsService = (backups: Backups | null, isExternal: boolean, actions: OperatorActions) => ({
  console: [backupRoutes(backups, isExternal, actions)],
  ...(backups === null ? {} : runningParts(backups)),
})

const runningParts = (backups: Backups) => ({
  gauges: [
    {
      name: 'clew_backup_verified_age_seconds',
      help: 'Seconds since the newest backup that was opened and found whole; infinite where there is none.',
      read: backups.verifiedAgeSeconds,
    },
    {
      name: 'clew_backup_failures_total',
      help: 'Backups, checks of them and clean-ups that failed since the start.',
      read: backups.failures,
    },
    {
      name: 'clew_backup_wal_age_seconds',
      help: 'Seconds since the moment up to which PostgreSQL’s log is kept; infinite where none is.',
      read: backups.walAgeSeconds,
    },
  ],
  health: backups.health,
  async start() {
    backups.start()
    return backups.close
  },
})
