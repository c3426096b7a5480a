import { threadError } from '../errors.ts'
import type { PeoplePort, SendsPort, TracesPort, UsersPort } from '../ports.ts'
import type { RequestDetail, RequestSummary } from '../schemas/request.ts'
import type { SessionSummary } from '../schemas/session.ts'
import { type ExplainError, exchangeFacts } from './exchange/exchange.ts'
import type { FindSenders, Sender } from './people/senders.ts'
import { likenessOf, type RequestFilter } from './queries/request-filter.ts'
import type { RequestRow } from './queries/requests.ts'
import { linkOf, renderChange, renderLog, renderSend, renderStatement, requestSummary, unlessEmpty } from './render.ts'
import type { Sessions } from './sessions.ts'
import type { ThreadStore } from './store.ts'
import { readRequestTrace } from './traces/request-trace.ts'

/** Which requests are asked for, as the console asks. */
export interface AskedRequests extends Omit<RequestFilter, 'userIds' | 'sender'> {
  /** A person's id, or a user's. */
  readonly person?: string
}

/** A page of them, after one of them. */
export interface RequestsQuery extends AskedRequests {
  readonly limit: number
  readonly before?: string
}

export interface RequestsDeps {
  readonly store: ThreadStore
  readonly users: UsersPort
  readonly people: Pick<PeoplePort, 'idsOf'>
  readonly sends: SendsPort
  readonly findSenders: FindSenders
  readonly sessions: Pick<Sessions, 'byIds'>
  readonly explainError: ExplainError
  readonly traces: TracesPort
}

const usersPerSearch = 100
const linesPerRequest = 1000
const causedPerRequest = 100

/** What is asked for, with the ids by which its people are known. */
const createFilterOf =
  ({ users, people }: Pick<RequestsDeps, 'users' | 'people'>) =>
  async <Asked extends AskedRequests>({ person, ...asked }: Asked) => {
    const [userIds, ids] = await Promise.all([
      asked.q === undefined ? [] : users.idsMatching(asked.q, usersPerSearch),
      person === undefined ? null : people.idsOf(person),
    ])
    const sender = person === undefined ? undefined : (ids ?? { distinctIds: [], userId: person })
    return { ...asked, userIds, sender }
  }

/** The session of a request, where the request stands in it, and what ties the two. */
const renderRequestSession = (
  { id, startedAt, hasRecording }: SessionSummary,
  row: RequestRow,
  at: string,
  sender: Sender | undefined,
): RequestDetail['session'] => ({
  id,
  atMs: offsetIn(startedAt, at),
  windowId: row.window_id || null,
  link: linkOf(row, row.cause_id === '' ? (sender?.foreignWhy ?? null) : null),
  hasRecording,
})

/** The requests: a list to look through, and one opened. */
export function createRequests(deps: RequestsDeps) {
  const { store, users, people, sends, findSenders, sessions, explainError, traces } = deps
  const filterOf = createFilterOf({ users, people })
  async function summaries(
    rows: readonly RequestRow[],
    sent: readonly Sender[] | Promise<readonly Sender[]>,
  ): Promise<RequestSummary[]> {
    const [changes, senders] = await Promise.all([store.changeCounts(rows.map(({ id }) => id)), sent])
    return rows.map((row, index) => ({
      ...requestSummary(row, changes.get(row.id) ?? 0),
      person: senders[index]?.person ?? null,
      personWhy: senders[index]?.personWhy ?? null,
    }))
  }

  /** The requests that were made for another, for a job's run or a queue's message. */
  async function causedBy(id: string): Promise<RequestSummary[]> {
    const rows = await store.requestsOfCause(id, causedPerRequest)
    return summaries(rows, findSenders(rows))
  }

  return {
    causedBy,
    summaries,
    filterOf,

    async list(query: RequestsQuery): Promise<{ requests: RequestSummary[]; next: string | null }> {
      const rows = await store.requests(await filterOf({ ...query, limit: query.limit + 1 }))
      const shown = rows.slice(0, query.limit)
      return {
        requests: await summaries(shown, findSenders(shown)),
        next: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
      }
    },

    /** @throws CLEW_THREAD_REQUEST_NOT_FOUND */
    async one(id: string): Promise<RequestDetail> {
      const [row] = await store.requestsById([id])
      if (row === undefined) throw threadError('CLEW_THREAD_REQUEST_NOT_FOUND')
      const senders = await findSenders([row])
      const [[request], statements, changes, asked, logs, caused, session, said] = await Promise.all([
        summaries([row], senders),
        store.statementsOfRequest(id),
        store.changesOfCause(id),
        sends.of([id]),
        store.logsOfRequest(id, linesPerRequest),
        causedBy(id),
        row.session_id === '' ? undefined : sessions.byIds([row.session_id]).then((found) => found.get(row.session_id)),
        store.exchangeOf(id),
      ])
      if (request === undefined) throw threadError('CLEW_THREAD_REQUEST_NOT_FOUND')
      const ran = statements.map(renderStatement)
      return {
        request,
        likeness: likenessOf(row),
        ...exchangeFacts(said, request.errorCode, explainError),
        requestBytes: Number(row.request_bytes),
        responseBytes: Number(row.response_bytes),
        remoteAddress: row.remote_address,
        userAgent: row.user_agent || null,
        userId: row.user_id || null,
        statements: ran,
        changes: changes.map(renderChange),
        sends: asked.map(renderSend),
        causeId: unlessEmpty(row.cause_id),
        logs: logs.map(renderLog),
        trace: await readRequestTrace(traces, row, ran),
        caused,
        session: session === undefined ? null : renderRequestSession(session, row, request.at, senders[0]),
      }
    },
  }
}

/** The requests, as other answers need them. */
export type Requests = ReturnType<typeof createRequests>

/** Where an instant stands in a session, in milliseconds since its start. */
export const offsetIn = (startedAt: string, at: string): number => Math.max(0, Date.parse(at) - Date.parse(startedAt))
