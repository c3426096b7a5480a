import type { Log } from '../../ground/model/log.ts'

export type ThreadLog = Pick<Log, 'warn' | 'error'>
