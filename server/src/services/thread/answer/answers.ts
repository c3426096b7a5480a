import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import { createThreads } from '../../../engines/threads/index.ts'
import type { WantedMessages } from '../../../ground/model/recording.ts'
import type { ServerLogsQuery } from '../../../ground/traces/server-trace.ts'
import type {
  ChangesPort,
  ErrorsPort,
  EventsPort,
  MailsPort,
  OperatorsPort,
  PeoplePort,
  RecordingsPort,
  SendsPort,
  TracesPort,
  UsersPort,
} from '../ports.ts'
import type { Links } from '../record/links.ts'
import { createColumnGuard } from '../record/redact.ts'
import type { RowHistory, TableHistory } from '../schemas/history.ts'
import type { Overview, OverviewDay, Presence } from '../schemas/overview.ts'
import type { PersonLine } from '../schemas/person-line.ts'
import type { RequestDetail, RequestSummary } from '../schemas/request.ts'
import type { RequestSeries } from '../schemas/request-series.ts'
import type { SessionDetail } from '../schemas/session.ts'
import type { SessionOutline } from '../schemas/session-outline.ts'
import type { SlowStatements } from '../schemas/slow-statement.ts'
import type { ServerLogsPage } from '../schemas/trace.ts'
import type { ThreadSettings } from '../settings.ts'
import { createClips } from '../timeline/clip/clip-lines.ts'
import { createReadRecording } from '../timeline/read-recording.ts'
import type { Span } from '../timeline/rrweb.ts'
import { createFindCauses } from './causes.ts'
import { type ChangesOf, createChangesOf } from './changes-of.ts'
import type { ExplainError } from './exchange/exchange.ts'
import { createFrameAnswers } from './frames.ts'
import { createFunctionAnswers } from './functions.ts'
import { createHistoryGaps } from './history/gaps.ts'
import { createHistory, type HistoryQuery, type TableHistoryQuery } from './history/history.ts'
import { createRowLife } from './history/row-life.ts'
import { createFindTable } from './history/tables.ts'
import { createRequestSeries } from './numbers/request-series.ts'
import { createSlowStatements, type SlowQuery } from './numbers/slow-statements.ts'
import { createOverview } from './overview.ts'
import { createFindKnown } from './people/evidence.ts'
import { createFindPersons } from './people/person-refs.ts'
import { createFindSenders } from './people/senders.ts'
import { createPersonLine, type PersonLineQuery } from './person/line.ts'
import { type AskedRequests, createRequests, type RequestsQuery } from './requests.ts'
import { createSessionDetail, readPicture } from './session-detail.ts'
import { createSessions, type SessionList, type SessionListQuery } from './sessions.ts'
import { createStore } from './store.ts'
import { createServerLogs } from './traces/server-logs.ts'

/** The reading half of the thread. */
export interface Answers extends ReturnType<typeof createFunctionAnswers> {
  overview(): Promise<Overview>
  overviewDay(): Promise<OverviewDay>
  presence(): Promise<Presence>
  sessions(query: SessionListQuery): Promise<SessionList>
  /** @param fromMs of the timeline, the moments from then on; all of it by default */
  session(id: string, fromMs?: number): Promise<SessionDetail>
  /** A session without what happened in it, for which no recording is read. */
  outline(id: string): Promise<SessionOutline>
  /** JSON of a `RecordedMessage` each. */
  recording(id: string, wanted: WantedMessages, signal: AbortSignal): Promise<AsyncIterable<string>>
  /** JSON of the `RecordedMessage` with which a picture of the session's first page begins. */
  picture(id: string): Promise<string>
  /** The recording's messages as lines of a file, a `MessageLineHead` with its events each: all, or those of a stretch on the server's clock. */
  recordingFile(id: string, signal: AbortSignal, span?: Span | null): Promise<AsyncIterable<string>>
  requests(query: RequestsQuery): Promise<{ requests: RequestSummary[]; next: string | null }>
  request(id: string): Promise<RequestDetail>
  requestSeries(asked: AskedRequests): Promise<RequestSeries>
  slowStatements(query: SlowQuery): Promise<SlowStatements>
  personLine(query: PersonLineQuery): Promise<PersonLine>
  serverLogs(query: ServerLogsQuery): Promise<ServerLogsPage>
  /** The names of the services that logged. */
  serverLoggers(): Promise<readonly string[]>
  /** The sessions whose requests stand in these traces, or began them. */
  sessionsOfTraces(traceIds: readonly string[]): Promise<readonly string[]>
  history(query: HistoryQuery): Promise<RowHistory>
  tableHistory(query: TableHistoryQuery): Promise<TableHistory>
  changesOf: ChangesOf
}

export interface AnswersDeps {
  readonly sql: Sql
  readonly clickhouse: ClickHouse
  readonly links: Links
  readonly recordings: RecordingsPort
  readonly events: EventsPort
  readonly people: PeoplePort
  readonly users: UsersPort
  readonly changes: ChangesPort
  readonly sends: SendsPort
  readonly operators: OperatorsPort
  readonly errors: ErrorsPort
  readonly mails: MailsPort
  /** What servers told; nothing where not given. */
  readonly traces?: TracesPort
  readonly now: () => Date
  readonly settings: ThreadSettings
  /** Since when what is stored is this instance's own, and not brought along by `importRows`; always, where not given. */
  readonly ownSince?: Date
  /** What the code of a refusal means; nothing is known of any where not given. */
  readonly explainError?: ExplainError
}

const noTraces: TracesPort = {
  find: async () => ({ spans: [], logs: [], isCut: false }),
  logs: async () => ({ logs: [], next: null }),
  loggers: async () => [],
}

const dayMs = 24 * 60 * 60_000

/** Makes what answers the console's questions; `close` ends the thread that reads recordings. */
export function createAnswers(deps: AnswersDeps): Answers & { close(): Promise<void> } {
  const { links, recordings, events, people, users, settings, now } = deps
  const store = createStore(deps.clickhouse, now)
  // Recordings are read in a thread of their own: one that is opened holds up no body that is sent.
  const thread = createThreads({ threads: 1, idleMs: 60_000 })
  const findPersons = createFindPersons(people, users)
  const findKnown = createFindKnown({ store, links, recordings, events, people })
  const findSenders = createFindSenders({ findKnown, findPersons, links, people })
  const sessions = createSessions({
    ...{ store, links, recordings, events, users, people, findKnown, findPersons, now },
    ...{ searchLimit: settings.searchedSessions, rankLimit: settings.rankedSessions },
  })
  const explainError = deps.explainError ?? (() => null)
  const traces = deps.traces ?? noTraces
  const requests = createRequests({
    ...{ store, users, people, sends: deps.sends, findSenders, sessions, explainError, traces },
  })
  const { chartedRequests } = settings
  const readSeries = createRequestSeries({ store, now, chartedRequests })
  const findCauses = createFindCauses({ store, findSenders, sessions, operators: deps.operators })
  const frames = createFrameAnswers({ store, findKnown, findCauses, sessions })
  const detail = createSessionDetail({
    ...{
      sessions,
      findKnown,
      store,
      recordings,
      events,
      settings,
      sends: deps.sends,
      frames,
      errors: deps.errors,
      traces,
    },
    readRecording: createReadRecording({ thread, messages: recordings.messages }),
    clipLines: createClips(thread),
  })
  const guard = createColumnGuard(settings.secretColumns, settings.maxValueBytes)
  const { history, tableHistory } = createHistory({
    ...{ store, findCauses },
    changesOf: createRowLife({ store, guard, findTable: createFindTable(deps.sql) }),
    gapsOf: createHistoryGaps({
      ...{ store, now, gaps: deps.changes.gaps },
      retentionMs: settings.changeRetentionDays * dayMs,
    }),
    notRecorded: deps.changes.notRecorded,
  })
  const ownSince = deps.ownSince ?? new Date(0)
  const { overview, day, presence } = createOverview({ store, recordings, events, people, sessions, now, ownSince })

  return {
    ...createFunctionAnswers({ query: deps.clickhouse.query, now }),
    overview,
    overviewDay: day,
    presence,
    sessions: sessions.list,
    outline: detail.outline,
    session: detail.session,
    recording: detail.recording,
    picture: (id) => readPicture(recordings, id),
    recordingFile: detail.recordingFile,
    requests: requests.list,
    request: requests.one,
    slowStatements: createSlowStatements({
      query: deps.clickhouse.query,
      now,
      timeBehind: store.timeBehind,
      chartedRequests,
    }),
    requestSeries: async (asked) => readSeries(await requests.filterOf(asked)),
    personLine: createPersonLine({ ...deps, store, findSenders, requests, sessions }),
    serverLogs: createServerLogs({ store, traces }),
    serverLoggers: traces.loggers,
    sessionsOfTraces: store.sessionsOfTraces,
    history,
    tableHistory,
    changesOf: createChangesOf({ store, sends: deps.sends, requests }),
    close: thread.close,
  }
}
