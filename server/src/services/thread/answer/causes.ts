import type { RequestAction } from '../../../ground/model/operator-actions.ts'
import type { OperatorsPort } from '../ports.ts'
import type { Cause } from '../schemas/history.ts'
import type { SessionSummary } from '../schemas/session.ts'
import type { FindSenders, Sender } from './people/senders.ts'
import type { RequestRow } from './queries/requests.ts'
import { linkOf, requestFacts } from './render.ts'
import { offsetIn } from './requests.ts'
import type { Sessions } from './sessions.ts'
import type { ThreadStore } from './store.ts'

export interface CausesDeps {
  readonly store: Pick<ThreadStore, 'requestsById'>
  readonly findSenders: FindSenders
  readonly sessions: Pick<Sessions, 'byIds'>
  readonly operators: OperatorsPort
}

/** Says of each of these requests who made it, and in which session. */
export type FindCauses = (requestIds: readonly string[]) => Promise<ReadonlyMap<string, Cause>>

/** What requests are as the cause of something else. */
export function createFindCauses({ store, findSenders, sessions, operators }: CausesDeps): FindCauses {
  return async (ids) => {
    const requests = await store.requestsById(ids)
    const recorded = new Set(requests.map(({ id }) => id))
    const [senders, sessionsById, actions] = await Promise.all([
      findSenders(requests),
      sessions.byIds(requests.map(({ session_id }) => session_id).filter((id) => id !== '')),
      operators.actionsOf(ids.filter((id) => !recorded.has(id))),
    ])
    // A request whose record has not arrived yet, or is gone by retention, is still known to be one.
    const causes = new Map<string, Cause>(
      ids.map((id) => [id, operatorCause(id, actions.get(id)) ?? { ...unknownRequest, requestId: id }]),
    )
    requests.forEach((row, index) => {
      const sender = senders[index] ?? unknownSender
      const session = sessionsById.get(row.session_id)
      // A call that only carried the session's id leads to no recording.
      const isOwn = session !== undefined && sender.foreignWhy === null
      causes.set(row.id, isOwn ? sessionCause(row, session, sender) : requestCause(row, sender))
    })
    return causes
  }
}

const unknownSender: Sender = { person: null, personWhy: null, foreignWhy: null }
const unknownRequest = {
  kind: 'request',
  method: '',
  path: '',
  role: '',
  person: null,
  personWhy: null,
  foreign: false,
  why: null,
} as const

const operatorCause = (requestId: string, found: RequestAction | undefined): Cause | null =>
  found === undefined
    ? null
    : { kind: 'operator', requestId, operator: found.operator, action: found.action, actionId: found.id }

const requestCause = (row: RequestRow, { person, personWhy, foreignWhy }: Sender): Cause => ({
  kind: 'request',
  requestId: row.id,
  method: row.method,
  path: row.path,
  role: row.role,
  person,
  personWhy,
  foreign: foreignWhy !== null,
  why: foreignWhy,
})

function sessionCause(row: RequestRow, session: SessionSummary, { person, personWhy, foreignWhy }: Sender): Cause {
  const { exact, why } = linkOf(row, foreignWhy)
  return {
    kind: 'session',
    requestId: row.id,
    method: row.method,
    path: row.path,
    role: row.role,
    sessionId: session.id,
    atMs: offsetIn(session.startedAt, requestFacts(row).at),
    hasRecording: session.hasRecording,
    exact,
    why,
    // The request's own: a session may be of several people.
    person,
    personWhy,
  }
}
