import { join } from 'node:path'
import { type ClickHouse, classifyClickHouseError } from '../../../../engines/clickhouse/index.ts'
import { classifyPostgresError } from '../../../../engines/postgres/index.ts'
import {
  isolatePoisonRows,
  openSpool,
  type RefusedRows,
  rewriteRows,
  type SpoolBacklog,
  type SpoolSettings,
  type SpoolSink,
} from '../../../../engines/spool/index.ts'
import type { FrameRecord } from '../../../../ground/model/frame.ts'
import type { FunctionLog } from '../../../../ground/model/function-log.ts'
import type { EngineHealth } from '../../../../ground/model/health.ts'
import type { LiveNotices } from '../../../../ground/model/live.ts'
import type { RequestRecord } from '../../../../ground/model/request.ts'
import type { Consent } from '../../../../ground/privacy/consent.ts'
import type { Masks } from '../../../../ground/privacy/masks.ts'
import { rewriteExchanges, rewriteRequests } from '../../masking/lines.ts'
import { announceFrames, announceLogs, announceRequests } from '../announce.ts'
import { exchangeColumns } from '../exchange/exchange-lines.ts'
import { frameColumns, frameLine } from '../frame-lines.ts'
import { logColumns, logLine } from '../log-lines.ts'
import type { Evidence } from '../observation.ts'
import { requestColumns, statementColumns } from '../request-lines.ts'
import { untieRequests, withholdEvidence, withholdFrames } from '../untie.ts'
import { requestsNotStored, statementsNotStored } from './stored-before.ts'
import { openTurns, parseEvidence, type Target, targets } from './turns.ts'

export interface RequestSpoolDeps {
  readonly clickhouse: Pick<ClickHouse, 'insertLines' | 'query'>
  /** The folder of all spools; this one's stands in it. */
  readonly folder: string
  readonly settings: SpoolSettings
  readonly isDiskShort: (() => boolean) | undefined
  readonly refused: RefusedRows
  /** Whose requests may be tied to a session. */
  readonly consent: Consent
  /** What is masked in the addresses of requests. */
  readonly masks: Masks
  /** What is kept of the headers and bodies of a request and its answer, as a line; null for nothing. */
  readonly renderExchange: (record: RequestRecord) => string | null
  readonly saveEvidence: (evidence: readonly Evidence[]) => Promise<void>
  readonly now: () => Date
  readonly newId: () => string
  /** Hears of what was stored. */
  readonly live: LiveNotices
  /** The most milliseconds between two batches while a session is watched. */
  readonly watchedBatchMs: number
  readonly log: { warn(details: object, message: string): void; error(details: object, message: string): void }
}

/** Finished requests on their way to their tables: from the end of their turn on they outlive the process. */
export interface RequestSpool {
  /** Keeps a finished request. Never waits, never throws. */
  ended(record: RequestRecord): void
  /** Keeps what a request says of who was in which session, in the same append. */
  observed(evidence: Evidence): void
  /** Keeps a line of a function's log. */
  logged(line: FunctionLog): void
  /** Keeps a message of a socket. */
  framed(frame: FrameRecord): void
  /** Requests since the start that found no room, or no disk to be written to. */
  lost(): number
  backlog(): SpoolBacklog
  health(): Promise<EngineHealth>
  /** Resolves when everything until now is stored. */
  settled(): Promise<void>
  close(): Promise<void>
}

const leastLingerMs = 300
const mostLingerMs = 1500
// A batch costs some 20 ms of the server and 30 of ClickHouse, a row some 10 µs: forty requests a second cost three per cent
// of a processor in place of fifteen when they wait this long for one another.
const lingerMsOfRow = 15
const sayLossEveryMs = 10_000
/** What waits at the end is stored at once, if that goes quickly: else after the next start. */
const closeGraceMs = 3000

/**
 * Opens the spool of requests. Rows end in plain tables: those that may be stored already, after a crash or an answer
 * that was not seen, are looked up before they are sent again, so that they are stored once.
 */
export async function openRequestSpool(deps: RequestSpoolDeps): Promise<RequestSpool> {
  const { settings, live, watchedBatchMs, now, log } = deps
  const spool = await openSpool({
    folder: join(deps.folder, 'requests'),
    content: 'requests',
    targets,
    // An answer does not wait for its record, which tells what happened and is not what happened: it outlives the
    // process, and a power cut may cost the last moments.
    durability: 'kernel',
    sinks: createSinks(deps),
    settings: { ...settings, backlogBytes: settings.requestBacklogBytes },
    isDiskShort: deps.isDiskShort,
    batchMs: (rows) => {
      const usualMs = Math.min(mostLingerMs, Math.max(leastLingerMs, rows * lingerMsOfRow))
      return live.isWatched('session') ? Math.min(usualMs, watchedBatchMs) : usualMs
    },
    now,
    log,
  })
  const losses = countLosses(deps)
  const turn = openTurns(deps.renderExchange, (records, requests) => {
    // The spool has copied the lines when it answers, at once.
    spool.append(records).then(
      (hasRoom) => (hasRoom ? undefined : losses.add(requests, null)),
      (cause: unknown) => losses.add(requests, cause),
    )
  })

  return {
    ended: turn.ended,
    observed: turn.observed,
    logged: (line) => turn.logged(logLine(deps.newId(), line)),
    framed: (frame) => turn.framed(frameLine(frame)),
    lost: losses.count,
    backlog: spool.backlog,
    health: spool.health,
    async settled() {
      turn.end()
      await spool.settled()
    },
    async close() {
      turn.end()
      if (spool.backlog().trouble === null) await within(closeGraceMs, spool.settled())
      await spool.close()
    },
  }
}

/** Where the rows of each target are stored. */
function createSinks({
  clickhouse,
  refused,
  consent,
  masks,
  saveEvidence,
  live,
}: RequestSpoolDeps): Record<Target, SpoolSink> {
  const intoTable = (
    table: 'requests' | 'statements',
    columns: readonly string[],
    notStored: (lines: readonly Buffer[]) => Promise<readonly Buffer[]>,
  ): SpoolSink => {
    const store = async (given: readonly Buffer[], again: boolean, onlyFitting: boolean): Promise<void> => {
      const lines = table === 'requests' ? await untieRequests(consent, given) : given
      await clickhouse.insertLines(table, again ? await notStored(lines) : lines, { columns, onlyFitting })
    }
    return isolatePoisonRows({
      target: table,
      store: (lines, { again }) => store(lines, again, false),
      storeFitting: (lines, { again }) => store(lines, again, true),
      classify: classifyClickHouseError,
      refused,
    })
  }
  // These tables take a line for one however often it comes.
  const intoReplacing = (
    target: Target,
    table: 'function_logs' | 'frames' | 'exchanges',
    columns: readonly string[],
  ): SpoolSink => {
    const store = async (given: readonly Buffer[], onlyFitting: boolean): Promise<void> => {
      const lines = table === 'frames' ? await withholdFrames(consent, given) : given
      if (lines.length === 0) return
      await clickhouse.insertLines(table, lines, { columns, onlyFitting })
    }
    return isolatePoisonRows({
      target,
      store: (lines) => store(lines, false),
      storeFitting: (lines) => store(lines, true),
      classify: classifyClickHouseError,
      refused,
    })
  }
  const announcing =
    (sink: SpoolSink, announce: (live: LiveNotices, lines: readonly Buffer[]) => void): SpoolSink =>
    async (lines, sending) => {
      await sink(lines, sending)
      announce(live, lines)
    }
  return {
    requests: announcing(
      rewriteRows(
        intoTable('requests', requestColumns, (lines) => requestsNotStored(clickhouse, lines)),
        async () => rewriteRequests(await masks.current(), requestColumns),
      ),
      announceRequests,
    ),
    statements: intoTable('statements', statementColumns, (lines) => statementsNotStored(clickhouse, lines)),
    logs: announcing(intoReplacing('logs', 'function_logs', logColumns), announceLogs),
    frames: announcing(intoReplacing('frames', 'frames', frameColumns), announceFrames),
    exchanges: rewriteRows(intoReplacing('exchanges', 'exchanges', exchangeColumns), async () =>
      rewriteExchanges(await masks.current(), exchangeColumns),
    ),
    evidence: isolatePoisonRows({
      target: 'evidence',
      store: async (lines) => saveEvidence(await withholdEvidence(consent, lines.flatMap(parseEvidence))),
      classify: classifyPostgresError,
      refused,
    }),
  }
}

/** Counts requests that could not be recorded, and says so in the log now and then. */
function countLosses({ now, log }: Pick<RequestSpoolDeps, 'now' | 'log'>) {
  let lost = 0
  let saidMs = 0
  return {
    count: () => lost,
    add(requests: number, cause: unknown): void {
      lost += requests
      const nowMs = now().getTime()
      if (nowMs - saidMs < sayLossEveryMs) return
      saidMs = nowMs
      log.warn({ err: cause, lost }, 'Requests could not be recorded: no room in the spool, or on its disk')
    },
  }
}

/** Waits for a promise, and no longer than this. */
async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, limit])
  clearTimeout(timer)
}
