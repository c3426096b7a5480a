import { exportedKinds } from '../deps.ts'
import type { ListedExport } from '../store/exports.ts'
import type { RunRow } from '../store/runs.ts'
import type { ExportRunSchema, ExportSchema } from './schemas.ts'

/** A run, its kinds in the order in which they are exported. */
export const renderRun = (run: RunRow): ExportRunSchema => ({
  id: run.id,
  askedBy: run.askedBy,
  until: run.until.toISOString(),
  state: run.state === 'running' && run.retryAt !== null ? 'waiting' : run.state,
  kinds: exportedKinds.flatMap((kind) => {
    const count = run.counts[kind]
    return count === undefined ? [] : [{ kind, ...count }]
  }),
  writing: run.state === 'running' && run.retryAt === null ? (run.pending?.key ?? null) : null,
  retryAt: run.retryAt?.toISOString() ?? null,
  startedAt: run.startedAt.toISOString(),
  endedAt: run.endedAt?.toISOString() ?? null,
  error: run.error,
  attemptsFailed: run.attemptsFailed,
  lastFailure: run.lastFailure,
})

/** An export without its secret. */
export const renderExport = (row: ListedExport, scheduleWords: string | null): ExportSchema => ({
  id: row.id,
  name: row.name,
  kinds: [...row.kinds],
  format: row.format,
  schedule: row.schedule,
  scheduleWords,
  endpoint: row.endpoint,
  region: row.region,
  bucket: row.bucket,
  prefix: row.prefix,
  pathStyle: row.pathStyle,
  accessKeyId: row.accessKeyId,
  paused: row.paused,
  nextAt: row.paused ? null : row.nextAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
  version: row.version,
  updatedAt: row.updatedAt.toISOString(),
  updatedBy: row.updatedBy,
  lastRun: row.lastRun === null ? null : renderRun(row.lastRun),
})
