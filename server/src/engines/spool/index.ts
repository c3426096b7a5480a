export type { Sending, SpoolSink } from './consumer/delivery.ts'
export { isolatePoisonRows, type PoisonRowsOptions, rowsOf } from './consumer/poison-rows.ts'
export { forgetRefusedRows, refusedPersonStore } from './consumer/refused-people.ts'
export { createRefusedRows, type RefusedRows } from './consumer/refused-rows.ts'
export { type RewriteRow, rewriteBlocks, rewriteRows } from './consumer/rewrite-rows.ts'
export { spoolError } from './errors.ts'
export { damagedBytesGauge, refusedRowsGauge } from './gauges.ts'
export type { SpoolBacklog } from './health.ts'
export { drainSpools } from './left-spools.ts'
export type { SpoolLog } from './log.ts'
export {
  type RenderedRecord,
  renderRecord,
  type SplitRecord,
  type SpoolRecord,
  type StoredRecord,
} from './segments/record.ts'
export { type SpoolSettings, spoolSettings } from './settings.ts'
export { openSpool, type Spool, type SpoolDeps } from './spool.ts'
