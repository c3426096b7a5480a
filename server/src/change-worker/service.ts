import { refusedRowsGauge } from '../engines/spool/index.ts'
import type { ChangeWorker } from './change-worker.ts'

/** The change stream's health and numbers. */
export const changeService = (changes: ChangeWorker) => ({
  gauges: [
    refusedRowsGauge(changes.refusedRows),
    {
      name: 'clew_changes_behind_bytes',
      help: 'Log of PostgreSQL that is written and whose row changes are not stored yet',
      read: changes.behindBytes,
    },
  ],
  health: changes.health,
  close: changes.close,
})
