import type { Log } from '../../ground/model/log.ts'

/** Where a spool says what it found and what it gave up. */
export type SpoolLog = Pick<Log, 'warn' | 'error'>
