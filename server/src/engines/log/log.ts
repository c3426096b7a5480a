import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { type Drain, type DrainOptions, openDrain, postLines } from '../drain/index.ts'
import { openLogFile } from './file.ts'
import type { Output } from './output.ts'
import type { LogSettings } from './settings.ts'
import { openSyslog } from './syslog.ts'

const mib = 1024 ** 2

/** How a process logs. */
export interface LogOptions extends LogSettings {
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug' | 'silent'
  /** Null for JSON in production and text in local mode. */
  readonly logFormat: 'json' | 'text' | null
  /** A file that lines are appended to; null for standard output or error. */
  readonly logFile: string | null
  readonly production: boolean
}

/** The log of a process. */
export interface ProcessLog {
  readonly log: Logger
  /** Lines since the start that no drain took, as there was no room for them or they were refused. */
  readonly droppedLines: () => number
  /** Writes and sends what waits, if that goes quickly; lines that come later may be lost. */
  readonly close: () => Promise<void>
}

/** The process's log: written once, and sent to each drain as JSON. A reader that has gone, or a full disk, is no reason to end. */
export function openLog(options: LogOptions): ProcessLog {
  const { logLevel, logFormat, production } = options
  const isText = (logFormat ?? (production ? 'json' : 'text')) === 'text'
  const output = openOutput(options)
  // A drain that fails says so in the log, which is made of the drains.
  const said: { log: Logger | null } = { log: null }
  const drains = openDrains(options, (name, cause) => {
    if (cause === null) said.log?.warn({ drain: name }, 'log: lines are sent again')
    else said.log?.warn({ drain: name, err: cause }, 'log: lines cannot be sent; they are tried again, and wait')
  })
  const written = isText ? asText(output, options) : output
  const streams = [written, ...drains].map((stream) => ({ level: 'trace' as const, stream }))
  const log = pino({ level: logLevel }, streams.length === 1 ? written : pino.multistream(streams))
  said.log = log
  return {
    log,
    droppedLines: () => drains.reduce((sum, { dropped }) => sum + dropped(), 0),
    async close() {
      await Promise.all([output, ...drains].map((each) => each.close()))
    },
  }
}

function openOutput({ logFile, output, rotateMib, rotatedFiles, rotatedDays }: LogOptions): Output {
  if (logFile !== null)
    return openLogFile({
      ...{ path: logFile, rotateBytes: rotateMib * mib, rotatedFiles, rotatedDays },
      now: () => new Date(),
    })
  const stream = pino.destination({ fd: output === 'stdout' ? 1 : 2, sync: false })
  stream.on('error', () => undefined)
  return {
    write: (line) => void stream.write(line),
    close: () => new Promise((resolve) => stream.flush(() => resolve())),
  }
}

function asText(output: Output, { logFile, output: name }: LogOptions): DestinationStream {
  const terminal = name === 'stdout' ? process.stdout : process.stderr
  const colorize = logFile === null && terminal.isTTY === true && process.env.NO_COLOR === undefined
  const text = prettyFactory({ colorize, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
  return { write: (line) => output.write(text(line)) }
}

function openDrains(options: LogOptions, changed: (name: string, cause: unknown) => void): readonly Drain[] {
  const { httpUrl, syslog, syslogName, batchLines, queueMib, timeoutSeconds } = options
  const timeoutMs = timeoutSeconds * 1000
  const open = (name: string, send: DrainOptions['send']): Drain =>
    openDrain({ send, batchLines, queueBytes: queueMib * mib, changed: (cause) => changed(name, cause) })
  const drains: Drain[] = []
  if (httpUrl !== null) {
    const render = (lines: readonly string[]): string => `${lines.join('\n')}\n`
    const form = { headers: () => options.httpHeaders, contentType: 'application/x-ndjson', render, timeoutMs }
    drains.push(open('http', postLines({ url: () => options.httpUrl ?? httpUrl, ...form })))
  }
  if (syslog !== null) {
    const origin = { hostname: hostname(), name: syslogName, pid: process.pid }
    const server = openSyslog({ ...origin, url: syslog, timeoutMs, now: () => new Date() })
    const drain = open('syslog', server.send)
    drains.push({
      ...drain,
      async close() {
        await drain.close()
        server.close()
      },
    })
  }
  return drains
}
