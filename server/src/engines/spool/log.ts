import type { Log } from '../../ground/model/log.ts'

/** The log of a spool: damage and retries are warnings, a stopped consumer and refused rows are errors. */
export type SpoolLog = Pick<Log, 'warn' | 'error'>
