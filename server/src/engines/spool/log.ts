import type { Log } from '../../ground/model/log.ts'

export type SpoolLog = Pick<Log, 'warn' | 'error'>
