import { groupBy } from '../group-by.ts'
import type { SendsPort } from '../ports.ts'
import type { ThreadSettings } from '../settings.ts'
import type { SessionRequest } from '../timeline/places.ts'
import type { FrameAnswers } from './frames.ts'
import { claimOf, type FindKnown } from './people/evidence.ts'
import type { RequestRow } from './queries/requests.ts'
import { linkOf, renderChange, renderLog, renderSend, renderStatement, requestFacts, unlessEmpty } from './render.ts'
import type { ThreadStore } from './store.ts'

export interface SessionRequestsDeps {
  readonly findKnown: FindKnown
  readonly store: ThreadStore
  readonly sends: SendsPort
  readonly frames: Pick<FrameAnswers, 'reachedBy'>
  readonly settings: Pick<ThreadSettings, 'momentsPerSession'>
}

/** The requests of a session, each with all that it did. */
export function createSessionRequests({
  findKnown,
  store,
  sends,
  frames,
  settings,
}: SessionRequestsDeps): (id: string) => Promise<readonly SessionRequest[]> {
  const limit = settings.momentsPerSession
  return async (id) => {
    const [known, rows, statements, changes, logs] = await Promise.all([
      findKnown([id]),
      store.requestsOfSession(id, limit),
      store.statementsOfSession(id),
      store.changesOfSession(id),
      store.logsOfSession(id, limit),
    ])
    const writing = new Set(changes.map(({ request_id }) => request_id))
    const telling = rows.filter(({ id: request, service }) => service === 'realtime' || writing.has(request))
    const [asked, reached] = await Promise.all([
      sends.of(rows.filter(({ statements: count }) => count > 0).map((row) => row.id)),
      frames.reachedBy(telling.map((row) => row.id)),
    ])
    const sendsOf = groupBy(asked, ({ causeId }) => causeId)
    const statementsOf = groupBy(statements, ({ request_id }) => request_id)
    const changesOf = groupBy(changes, ({ request_id }) => request_id)
    const logsOf = groupBy(logs, ({ request_id }) => request_id)
    const foreignWhy = (row: RequestRow) => known.get(id)?.people.foreignWhy(claimOf(row)) ?? null
    return rows.map((row) => ({
      ...requestFacts(row),
      requestBytes: Number(row.request_bytes),
      responseBytes: Number(row.response_bytes),
      windowId: row.window_id === '' ? null : row.window_id,
      // A function's call is of the session of the call that it serves, also where its token names another user.
      link: linkOf(row, row.cause_id === '' ? foreignWhy(row) : null),
      statements: (statementsOf.get(row.id) ?? []).map(renderStatement),
      changes: (changesOf.get(row.id) ?? []).map(renderChange),
      sends: (sendsOf.get(row.id) ?? []).map(renderSend),
      causeId: unlessEmpty(row.cause_id),
      traceId: unlessEmpty(row.trace_id),
      logs: (logsOf.get(row.id) ?? []).map(renderLog),
      reached: (reached.get(row.id) ?? []).filter(({ sessionId }) => sessionId !== id),
    }))
  }
}
