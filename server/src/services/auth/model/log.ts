import type { Log } from '../../../ground/model/log.ts'

/** Receives failures beside a request that was answered nevertheless. */
export type AuthLog = Pick<Log, 'warn'>
