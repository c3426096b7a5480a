import type { SendsPort } from '../ports.ts'
import type { Change } from '../schemas/change.ts'
import type { RequestSummary } from '../schemas/request.ts'
import type { Send } from '../schemas/send.ts'
import { renderChange, renderSend } from './render.ts'
import type { Requests } from './requests.ts'
import type { ThreadStore } from './store.ts'

/** What came of a request, of a job's run, of a queue's message. */
interface CauseChanges {
  readonly changes: Change[]
  readonly more: boolean
  readonly sends: Send[]
  readonly caused: RequestSummary[]
}

/**
 * The rows that a request, or a job's run, changed, in their order, what it asked to be sent, and the requests that were
 * made for it; `more` where there are other rows behind them.
 */
export type ChangesOf = (causeId: string, limit: number) => Promise<CauseChanges>

export interface ChangesOfDeps {
  readonly store: Pick<ThreadStore, 'changesOfCause'>
  readonly sends: Pick<SendsPort, 'of'>
  readonly requests: Pick<Requests, 'causedBy'>
}

export function createChangesOf({ store, sends, requests }: ChangesOfDeps): ChangesOf {
  return async (causeId, limit) => {
    const [rows, asked, caused] = await Promise.all([
      store.changesOfCause(causeId, limit + 1),
      sends.of([causeId]),
      requests.causedBy(causeId),
    ])
    return {
      changes: rows.slice(0, limit).map(renderChange),
      more: rows.length > limit,
      sends: asked.map(renderSend),
      caused,
    }
  }
}
