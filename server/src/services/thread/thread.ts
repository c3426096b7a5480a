import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { RefusedRows, SpoolBacklog, SpoolSettings } from '../../engines/spool/index.ts'
import { createThreads } from '../../engines/threads/index.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { RequestRecord, SessionTag } from '../../ground/model/request.ts'
import { createHistoryGaps } from './answer/history/gaps.ts'
import { createHistory, type HistoryQuery } from './answer/history/history.ts'
import { createRowLife } from './answer/history/row-life.ts'
import { createFindTable } from './answer/history/tables.ts'
import { createOverview } from './answer/overview.ts'
import { createFindKnown } from './answer/people/evidence.ts'
import { createFindPersons } from './answer/people/person-refs.ts'
import { createFindSenders } from './answer/people/senders.ts'
import { createRequests, type RequestsQuery } from './answer/requests.ts'
import { createSessionDetail } from './answer/session-detail.ts'
import { createSessions, type SessionsQuery } from './answer/sessions.ts'
import { createStore } from './answer/store.ts'
import type { ChangesPort, EventsPort, PeoplePort, RecordingsPort, UsersPort } from './ports.ts'
import { createLearnt } from './record/inferred-links.ts'
import { createLinks } from './record/links.ts'
import { programOf } from './record/observation.ts'
import { createSightings } from './record/observations.ts'
import { createColumnGuard } from './record/redact.ts'
import { openRequestSpool } from './record/request-spool.ts'
import { applyRetention } from './record/retention.ts'
import {
  analyticsCookieName,
  isOptedOut,
  optOutCookieName,
  readAnalyticsCookie,
  readCookies,
  readTracingHeaders,
  sessionIdleMs,
} from './record/session-tag.ts'
import type { ThreadSettings } from './settings.ts'
import type { Overview, RequestDetail, RequestSummary, RowHistory, SessionDetail, SessionSummary } from './shapes.ts'
import { createReadRecording } from './timeline/read-recording.ts'

/** Where the room writes what an operator should read; pino's shape. */
export interface ThreadLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** What the thread needs of engines and other services. */
export interface ThreadDeps {
  readonly sql: Sql
  readonly clickhouse: ClickHouse
  /** The folder of all spools, on a disk; finished requests have their own in it. */
  readonly spoolDir: string
  readonly spoolSettings: SpoolSettings
  /** Takes the rows that an engine refuses. */
  readonly refused: RefusedRows
  readonly now: () => Date
  readonly settings: ThreadSettings
  readonly log: ThreadLog
  readonly recordings: RecordingsPort
  readonly events: EventsPort
  readonly people: PeoplePort
  readonly users: UsersPort
  /** Tokens of our own analytics: the cookies of others say nothing here. */
  readonly ingestTokens: readonly string[]
  readonly changes: ChangesPort
  /** Since when what is stored is this instance's own, and not brought along by `importRows`; always, where not given. */
  readonly ownSince?: Date
}

/** Stores rows of one table as JSON objects. The same rows may come again, under the same token: they are stored once. */
export type ImportRows = (rows: readonly string[], token: string) => Promise<void>

/** The thread: from a person's click to the request, the SQL, the row; and back. */
export interface Thread {
  /** Ties a request to a recorded session by its headers, its cookie, or what earlier requests taught. */
  tagRequest(headers: RequestHeaders, authSessionId: string | null, now: Date, remoteAddress: string): SessionTag | null
  /** Keeps a finished request, whose record outlives the process from the end of this turn on. Never waits, never throws. */
  requestEnded(record: RequestRecord): void
  /** Finished requests that wait to be stored, and those of which no record could be kept since the start. */
  waiting(): SpoolBacklog & { readonly lostRequests: number }
  /** How storing requests goes. */
  health(): Promise<EngineHealth>
  overview(): Promise<Overview>
  sessions(query: SessionsQuery): Promise<{ sessions: SessionSummary[]; next: string | null }>
  session(id: string): Promise<SessionDetail>
  /** JSON of a `RecordedMessage` each. */
  recording(id: string, signal: AbortSignal): Promise<AsyncIterable<string>>
  requests(query: RequestsQuery): Promise<{ requests: RequestSummary[]; next: string | null }>
  request(id: string): Promise<RequestDetail>
  history(query: HistoryQuery): Promise<RowHistory>
  /** Takes what another instance had stored. */
  readonly importRows: Readonly<Record<'requests' | 'statements' | 'changes', ImportRows>>
  /** Resolves when everything until now is stored. */
  flush(): Promise<void>
  /** Takes no more; what is not stored within seconds is stored after the next start. */
  close(): Promise<void>
}

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

const authSessionsRemembered = 20_000
const dayMs = 24 * 60 * 60_000

/**
 * Makes the thread and remembers the links of the last half hour. Its tables in PostgreSQL must be there; those in
 * ClickHouse may come later, what cannot be stored yet is tried again.
 */
export async function createThread(deps: ThreadDeps): Promise<Thread> {
  const { clickhouse, settings, now, log, recordings, events, people, users } = deps
  const cookieNames = deps.ingestTokens.map(analyticsCookieName)
  const optOutNames = deps.ingestTokens.map(optOutCookieName)
  const guard = createColumnGuard(settings.secretColumns, settings.maxValueBytes)
  const links = createLinks(deps.sql)
  const learnt = createLearnt(authSessionsRemembered)
  for (const sighting of await links.since(new Date(now().getTime() - sessionIdleMs), authSessionsRemembered))
    learnt.remember(sighting)

  const failed = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} could not be stored yet`)
  let retained: Promise<void> | null = null
  /** Once, before the first row is stored: the start need not wait for ClickHouse. */
  const retain = (): Promise<void> => {
    retained ??= applyRetention(clickhouse, settings).catch((error: unknown) => {
      retained = null
      throw error
    })
    return retained
  }

  // Who was in a session is known as long as what was done in it.
  const forget = (): void => {
    const days = Math.max(settings.requestRetentionDays, settings.changeRetentionDays)
    links.forget(new Date(now().getTime() - days * dayMs)).catch(failed('The end of old links'))
  }
  const forgetting = setInterval(forget, dayMs)
  forgetting.unref()

  const spool = await openRequestSpool({
    clickhouse,
    folder: deps.spoolDir,
    settings: deps.spoolSettings,
    refused: deps.refused,
    prepare: retain,
    saveEvidence: links.save,
    now,
    log,
  })
  const sightings = createSightings({ save: spool.learned, linkUser: people.linkUser, log })

  // Recordings are read in a thread of their own: one that is opened holds up no body that is sent.
  const thread = createThreads({ threads: 1, idleMs: 60_000 })
  const store = createStore(clickhouse)
  const findPersons = createFindPersons(people, users)
  const findKnown = createFindKnown({ store, links, recordings, events, people })
  const findSenders = createFindSenders({ findKnown, findPersons, links, people })
  const sessions = createSessions({ store, links, recordings, events, users, people, findKnown, findPersons, now })
  const requests = createRequests({ store, users, findSenders, sessions })
  const detail = createSessionDetail({
    ...{ sessions, findKnown, store, recordings, events, settings },
    readRecording: createReadRecording({ thread, messages: recordings.messages }),
  })
  const { history } = createHistory({
    store,
    changesOf: createRowLife({ store, guard, findTable: createFindTable(deps.sql) }),
    gapsOf: createHistoryGaps({
      store,
      gaps: deps.changes.gaps,
      now,
      retentionMs: settings.changeRetentionDays * dayMs,
    }),
    notRecorded: deps.changes.notRecorded,
    findSenders,
    sessions,
  })
  const { overview } = createOverview({
    store,
    recordings,
    events,
    people,
    sessions,
    now,
    ownSince: deps.ownSince ?? new Date(0),
  })

  const importInto =
    (table: 'requests' | 'statements'): ImportRows =>
    async (rows, token) => {
      await retain()
      await clickhouse.insertLines(table, rows, { token })
    }

  return {
    tagRequest(headers, authSessionId, at, remoteAddress) {
      if (isOptedOut(headers, optOutNames, settings.respectGpc)) return null
      const told = readTracingHeaders(headers) ?? readAnalyticsCookie(readCookies(headers.cookie), cookieNames, at)
      if (authSessionId === null) return told
      const program = programOf({ remoteAddress, headers })
      if (told === null || told.sessionId === null) return learnt.recall(authSessionId, at, program) ?? told
      learnt.remember({ ...told, sessionId: told.sessionId, authSessionId, programs: [program], at })
      return told
    },
    requestEnded(record) {
      spool.ended(record)
      sightings.see(record)
    },
    health: spool.health,
    waiting: () => ({ ...spool.backlog(), lostRequests: spool.lost() }),
    overview,
    sessions: sessions.list,
    session: detail.session,
    recording: detail.recording,
    requests: requests.list,
    request: requests.one,
    history,
    importRows: {
      requests: importInto('requests'),
      statements: importInto('statements'),
      // Its table takes a change for one however often it comes.
      async changes(rows) {
        await retain()
        await clickhouse.insertLines('changes', rows)
      },
    },
    async flush() {
      await sightings.settled()
      await spool.settled()
    },
    async close() {
      clearInterval(forgetting)
      await sightings.settled()
      await spool.close()
      await thread.close()
    },
  }
}
