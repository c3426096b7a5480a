import { join } from 'node:path'
import { openSpool, type SpoolSettings, type SpoolSink } from '../../../engines/spool/index.ts'
import type { ExceptionRecord } from '../../../ground/errors/exception-record.ts'
import type { EngineHealth } from '../../../ground/model/health.ts'
import type { Log } from '../../../ground/model/log.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'

/** Where a record's rows go. A record in the spool holds the place in this list: append only. */
const targets = ['exceptions'] as const

export interface ServerSpoolDeps {
  /** The folder of all spools; this one's stands in it. */
  readonly folder: string
  readonly settings: SpoolSettings
  readonly sink: SpoolSink
  readonly now: () => Date
  readonly log: Log
}

/** The server's own exceptions on their way to their tables: from the end of their turn on they outlive the process. */
export interface ServerSpool {
  /** Never waits, never throws. */
  seen(exception: ExceptionRecord): void
  health(): Promise<EngineHealth>
  /** Resolves when everything until now is stored. */
  settled(): Promise<void>
  close(): Promise<void>
}

const batchMs = 1000
/** Requests that fail at a high rate fail alike: what is beyond this in one turn is left out. */
const mostOfTurn = 200

/** Opens the spool of the server's exceptions: an answer does not wait for them. */
export async function openServerSpool({ folder, settings, sink, now, log }: ServerSpoolDeps): Promise<ServerSpool> {
  const spool = await openSpool({
    folder: join(folder, 'issues'),
    content: 'exceptions',
    targets,
    durability: 'kernel',
    sinks: { exceptions: sink },
    settings,
    batchMs: () => batchMs,
    now,
    log,
  })
  let lines: string[] = []
  const end = (): void => {
    if (lines.length === 0) return
    const record = { target: 'exceptions', rows: lines.length, lines: lines.join('\n') } as const
    lines = []
    spool
      .append([record])
      .catch((cause: unknown) => log.warn({ err: cause }, 'Exceptions of the server could not be recorded'))
  }
  return {
    seen(exception) {
      if (lines.length >= mostOfTurn) return
      if (lines.length === 0) setImmediate(end)
      lines.push(stringifyWellFormed(exception))
    },
    health: spool.health,
    async settled() {
      end()
      await spool.settled()
    },
    async close() {
      end()
      await spool.close()
    },
  }
}
