import { type Logger, pino } from 'pino'
import { build as prettyStream } from 'pino-pretty'
import type { InstanceSettings } from '../settings/index.ts'

/**
 * The process's log: to standard error, or appended to a file. A reader that has gone, or a full disk, is no reason to end.
 */
export function createLog({ logLevel, logFormat, logFile, production }: LogSettings): Logger {
  const output =
    logFile === null
      ? pino.destination({ fd: 2, sync: false })
      : pino.destination({ dest: logFile, mkdir: true, sync: false })
  output.on('error', () => undefined)
  const isText = (logFormat ?? (production ? 'json' : 'text')) === 'text'
  if (!isText) return pino({ level: logLevel }, output)
  const colorize = logFile === null && process.stderr.isTTY === true && process.env.NO_COLOR === undefined
  const stream = prettyStream({ destination: output, colorize, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
  return pino({ level: logLevel }, stream)
}

type LogSettings = Pick<InstanceSettings, 'logLevel' | 'logFormat' | 'logFile' | 'production'>
