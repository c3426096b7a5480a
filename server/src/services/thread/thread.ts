import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { ChangeTransaction } from '../../ground/model/change.ts'
import type { RequestRecord, SessionTag } from '../../ground/model/request.ts'
import { createBatches } from './batches.ts'
import { renderChanges, type StoredChange } from './changes.ts'
import { createHistory, type HistoryQuery } from './history.ts'
import { readAnalyticsCookie, readCookies, readTracingHeaders, sessionIdleMs } from './identity.ts'
import { createLearnt } from './learnt.ts'
import { createLinks, type UserSighting } from './links.ts'
import { createOverview } from './overview.ts'
import { createFindPersons } from './person-refs.ts'
import type { EventsPort, PeoplePort, RecordedMessage, RecordingsPort, UsersPort } from './ports.ts'
import { createQuote, type RequestLines, renderLines } from './record.ts'
import { createColumnGuard } from './redact.ts'
import { createRequests, type RequestsQuery } from './requests.ts'
import { applyRetention } from './retention.ts'
import { createSessionDetail } from './session-detail.ts'
import { createSessions, type SessionsQuery } from './sessions.ts'
import type { ThreadSettings } from './settings.ts'
import type { HistoryEntry, Overview, RequestDetail, RequestSummary, SessionDetail, SessionSummary } from './shapes.ts'
import { createSightings } from './sightings.ts'
import { createStore } from './store.ts'

/** Where the room writes what an operator should read; pino's shape. */
export interface ThreadLog {
  warn(details: object, message: string): void
}

export interface ThreadDeps {
  readonly sql: Sql
  readonly clickhouse: ClickHouse
  readonly now: () => Date
  readonly settings: ThreadSettings
  readonly log: ThreadLog
  readonly recordings: RecordingsPort
  readonly events: EventsPort
  readonly people: PeoplePort
  readonly users: UsersPort
}

/** The thread: from a person's click to the request, the SQL, the row; and back. */
export interface Thread {
  /** Ties a request to a recorded session by its headers, its cookie, or what earlier requests taught. */
  tagRequest(headers: RequestHeaders, authSessionId: string | null, now: Date): SessionTag | null
  /** Keeps a finished request. Never waits, never throws. */
  requestEnded(record: RequestRecord): void
  /**
   * Keeps a transaction's row changes; resolves when they are stored. A second delivery changes nothing. Many may be
   * given at once: they are stored together.
   */
  rowsChanged(transaction: ChangeTransaction): Promise<void>
  /** What has been lost since the start because ClickHouse did not answer, and what waits. */
  gauges(): { readonly droppedRequests: number; readonly waitingRequests: number }
  overview(): Promise<Overview>
  sessions(query: SessionsQuery): Promise<{ sessions: SessionSummary[]; next: string | null }>
  session(id: string): Promise<SessionDetail>
  recording(id: string, signal: AbortSignal): Promise<AsyncIterable<RecordedMessage>>
  requests(query: RequestsQuery): Promise<{ requests: RequestSummary[]; next: string | null }>
  request(id: string): Promise<RequestDetail>
  history(query: HistoryQuery): Promise<HistoryEntry[]>
  /** Stores what is held. */
  flush(): Promise<void>
  /** Stores what is held and takes no more. */
  close(): Promise<void>
}

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

const requestLingerMs = 300
const requestsPerBatch = 10_000
const changeLingerMs = 100
const changesPerBatch = 10_000
// A batch costs ClickHouse some 13 ms and a row 10 µs: at this linger a thousand requests a second cost it 3 % of a core.
const loadLingerMs = 1500
const textsQuoted = 1000
const authSessionsRemembered = 20_000
const dayMs = 24 * 60 * 60_000

/**
 * Makes the thread and remembers the links of the last half hour. Its tables in PostgreSQL must be there; those in
 * ClickHouse may come later, what cannot be stored yet is tried again.
 */
export async function createThread(deps: ThreadDeps): Promise<Thread> {
  const { clickhouse, settings, now, log, recordings, events, people, users } = deps
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

  const quote = createQuote(textsQuoted)
  let droppedRequests = 0
  const requestBatches = createBatches<RequestLines>({
    async write(kept, token) {
      await retain()
      const requestLines = kept.map(({ request }) => request)
      await clickhouse.insertLines('requests', requestLines, { token })
      const statementLines = kept.flatMap(({ statements }) => statements)
      if (statementLines.length > 0) await clickhouse.insertLines('statements', statementLines, { token })
    },
    lingerMs: requestLingerMs,
    underLoad: { items: 200, lingerMs: loadLingerMs },
    maxItems: requestsPerBatch,
    maxHeld: settings.requestBufferRows,
    onFailed: failed('Requests'),
    onDropped(count) {
      droppedRequests += count
      log.warn({ count, droppedRequests }, 'Requests were dropped: ClickHouse did not answer for too long')
    },
  })
  const changeBatches = createBatches<StoredChange>({
    async write(changes) {
      await retain()
      await clickhouse.insert('changes', changes)
    },
    lingerMs: changeLingerMs,
    underLoad: { items: 100, lingerMs: loadLingerMs },
    maxItems: changesPerBatch,
    // The change stream waits for us, so that what is held here is bounded by what it has read.
    maxHeld: Number.POSITIVE_INFINITY,
    onFailed: failed('Row changes'),
    onDropped: (count) => log.warn({ count }, 'Row changes were not stored before the end; they will come again'),
  })
  const linkBatches = createBatches<UserSighting>({
    write: (sightings) => links.save(sightings),
    lingerMs: requestLingerMs,
    maxItems: 500,
    maxHeld: settings.requestBufferRows,
    onFailed: failed('Sign-ins of sessions'),
    onDropped: (count) =>
      log.warn({ count }, 'Sign-ins of sessions were dropped: PostgreSQL did not answer for too long'),
  })
  const sightings = createSightings({ save: linkBatches.add, linkUser: people.linkUser, log })

  const store = createStore(clickhouse)
  const findPersons = createFindPersons(people, users)
  const sessions = createSessions({ store, links, recordings, events, users, people, findPersons, now })
  const requests = createRequests({ store, users, findPersons, sessions })
  const detail = createSessionDetail({ sessions, store, recordings, events, settings })
  const { history } = createHistory({ store, guard, findPersons, sessions })
  const { overview } = createOverview({ store, recordings, events, people, sessions, now })

  return {
    tagRequest(headers, authSessionId, at) {
      const told = readTracingHeaders(headers) ?? readAnalyticsCookie(readCookies(headers.cookie), at)
      if (told !== null && told.sessionId !== null) {
        if (authSessionId !== null) learnt.remember({ ...told, sessionId: told.sessionId, authSessionId, at })
        return told
      }
      return (authSessionId === null ? null : learnt.recall(authSessionId, at)) ?? told
    },
    requestEnded(record) {
      requestBatches.add(renderLines(record, quote))
      sightings.see(record)
    },
    rowsChanged: (transaction) => changeBatches.stored(renderChanges(transaction, guard)),
    gauges: () => ({ droppedRequests, waitingRequests: requestBatches.held }),
    overview,
    sessions: sessions.list,
    session: detail.session,
    recording: detail.recording,
    requests: requests.list,
    request: requests.one,
    history,
    async flush() {
      await Promise.all([requestBatches.flush(), changeBatches.flush(), linkBatches.flush(), sightings.settled()])
    },
    async close() {
      clearInterval(forgetting)
      await sightings.settled()
      await Promise.all([requestBatches.close(), changeBatches.close(), linkBatches.close()])
    },
  }
}
