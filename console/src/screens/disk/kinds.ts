import type { DiskKind } from '../../lib/api/schemas.ts'

interface KindLook {
  readonly label: string
  /** Of its part of the bar; what is not on this disk has none. */
  readonly fill: string
}

/** How each kind of data is called, and its colour. */
export const kindLooks: Readonly<Record<DiskKind['kind'], KindLook>> = {
  recordings: { label: 'Recordings', fill: 'bg-series-1' },
  events: { label: 'Events', fill: 'bg-series-2' },
  requests: { label: 'Requests', fill: 'bg-series-3' },
  history: { label: 'Row history', fill: 'bg-series-4' },
  errors: { label: 'Errors', fill: 'bg-series-7' },
  'other analytics': { label: 'Other analytics', fill: 'bg-series-8' },
  database: { label: 'PostgreSQL', fill: 'bg-series-6' },
  files: { label: 'Files', fill: 'bg-series-5' },
  spool: { label: 'Waiting to be stored', fill: 'bg-series-8' },
  logs: { label: 'Logs', fill: 'bg-series-8' },
  backups: { label: 'Backups', fill: 'bg-series-8' },
  'restore points': { label: 'Restore points', fill: 'bg-series-8' },
}
