import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import { drainSpools, type RefusedRows, type SpoolSettings, type SpoolSink } from '../../engines/spool/index.ts'
import type { Threads } from '../../engines/threads/index.ts'
import type { FunctionLog } from '../../ground/model/function-log.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import { type KeptLonger, nothingKeptLonger } from '../../ground/model/kept-longer.ts'
import { type LiveNotices, unwatched } from '../../ground/model/live.ts'
import type { Log } from '../../ground/model/log.ts'
import type { RequestRecord, SessionTag } from '../../ground/model/request.ts'
import { type Consent, openConsent } from '../../ground/privacy/consent.ts'
import type { MaskedStore } from '../../ground/privacy/masks.ts'
import type { Forget } from '../../ground/privacy/withdrawal.ts'
import { type AlertPorts, createAlerts } from './alerts/alerts.ts'
import { startCleanUp } from './clean-up.ts'
import { createResolve } from './maps/resolve.ts'
import { forgetExceptions } from './record/forget.ts'
import { findPersonExceptions, findSessionIssues, type PersonException } from './record/found-exceptions.ts'
import { exceptionOfLog, exceptionOfRequest } from './record/server-errors.ts'
import { openServerSpool } from './record/server-spool.ts'
import { createExceptionSink, type StoreExceptionsDeps } from './record/store-exceptions.ts'
import type { IssuesSettings } from './settings.ts'
import { maskedExceptions, maskedIssues } from './store/masked.ts'
import { createSuppression, type Suppression } from './suppression.ts'

/** What errors need of the engines. */
export interface IssuesDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'insertLines' | 'query' | 'command'>
  /** The folder of all spools, on a disk. */
  readonly spoolDir: string
  /** Folders of the same kind that no process writes any more. */
  readonly leftSpoolDirs?: readonly string[]
  readonly spoolSettings: SpoolSettings
  /** Where source maps are read. */
  readonly threads: Pick<Threads, 'run'>
  /** How alerts leave; none do where not given. */
  readonly alerts?: AlertPorts
  /** Takes the rows that an engine rejects for what they are. */
  readonly refused: RefusedRows
  readonly settings: IssuesSettings
  /** Whose exceptions may be stored; everyone's where nothing is given. */
  readonly consent?: Consent
  readonly live?: LiveNotices
  /** Whose exceptions keep their issue; none where nothing is given. */
  readonly keptLonger?: KeptLonger
  readonly now: () => Date
  readonly newId: () => string
  readonly log: Log
}

/** Exceptions of browsers, servers and functions, and failed requests, grouped. */
export interface Issues {
  /** Stores the exceptions that were captured, from the spool of events. */
  readonly exceptions: SpoolSink
  /** Keeps a request that failed by the server's fault. Never waits, never throws. */
  requestEnded(record: RequestRecord): void
  /**
   * Keeps what a function threw. Never waits, never throws.
   *
   * @param tag the session of the request that it ran for
   */
  functionLogged(line: FunctionLog, tag: SessionTag | null): void
  readonly resolve: StoreExceptionsDeps['resolve']
  /** Takes the exceptions that another instance had stored, a row of their table each, grouped as they were there. */
  importExceptions(rows: readonly string[]): Promise<void>
  /** Removes the exceptions of these ids; what they are counted in stays. */
  readonly forget: Forget
  /** Where errors are kept, for masks of the past. */
  readonly maskedStores: readonly MaskedStore[]
  /** The exceptions that a person met up to an instant, newest first. */
  ofPerson(
    person: { readonly distinctIds: readonly string[]; readonly userId: string | null },
    until: Date,
    limit: number,
  ): Promise<readonly PersonException[]>
  /** The issues of the exceptions that were captured in a session, by the ids of their events. */
  ofSession(sessionId: string, limit: number): Promise<ReadonlyMap<string, string>>
  /** What browsers are told not to send. */
  readonly suppression: Omit<Suppression, 'close'>
  /** Sends the alerts that are owed, unless some were sent lately. */
  sendAlerts(): Promise<void>
  health(): Promise<EngineHealth>
  /** Resolves when every exception of the server until now is stored. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Opens the spool of the server's exceptions. The tables must be there, or come soon: what cannot be stored is tried again. */
export async function createIssues(deps: IssuesDeps): Promise<Issues> {
  const { live = unwatched, consent = openConsent, settings, now, newId, log } = deps
  const resolve = createResolve({ ...deps, maxMapBytes: settings.maxSourceMapMib * 1024 ** 2 })
  const alerts = deps.alerts === undefined ? null : createAlerts({ ...deps, ...deps.alerts })
  const exceptions = createExceptionSink({ ...deps, consent, live, resolve, stored: () => alerts?.wake() })
  const open = (folder: string) => openServerSpool({ folder, settings: deps.spoolSettings, sink: exceptions, now, log })
  const spool = await open(deps.spoolDir)
  const left = await drainSpools(open, deps.leftSpoolDirs ?? [])
  const stopCleanUp = startCleanUp({ ...deps, keptLonger: deps.keptLonger ?? nothingKeptLonger })
  const suppression = createSuppression(deps)
  return {
    exceptions,
    resolve,
    suppression,
    requestEnded(record) {
      const exception = exceptionOfRequest(record)
      if (exception !== null) spool.seen(exception)
    },
    functionLogged(line, tag) {
      const exception = exceptionOfLog(line, newId(), tag)
      if (exception !== null) spool.seen(exception)
    },
    // Its table takes an exception for one however often it comes.
    importExceptions: (rows) => deps.clickhouse.insertLines('exceptions', rows),
    maskedStores: [maskedExceptions(deps.clickhouse), maskedIssues(deps.sql)],
    forget: (distinctIds, before) => forgetExceptions(deps.clickhouse, distinctIds, before),
    ofPerson: (person, until, limit) => findPersonExceptions(deps, person, until, limit),
    ofSession: (sessionId, limit) => findSessionIssues(deps, sessionId, limit),
    sendAlerts: async () => alerts?.send(),
    health: spool.health,
    settled: spool.settled,
    async close() {
      stopCleanUp()
      suppression.close()
      await alerts?.close()
      await left.close()
      await spool.close()
    },
  }
}
