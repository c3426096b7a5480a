import type { RowValues } from '../../../../ground/model/change.ts'
import { parseJobRunId } from '../../../../ground/model/job-run.ts'
import { threadError } from '../../errors.ts'
import type { Cause, RowHistory } from '../../schemas/history.ts'
import type { SessionSummary } from '../../schemas/session.ts'
import type { FindSenders, Sender } from '../people/senders.ts'
import type { ChangeRow } from '../queries/changes.ts'
import type { RequestRow } from '../queries/requests.ts'
import { linkOf, renderChange, requestFacts } from '../render.ts'
import { offsetIn } from '../requests.ts'
import type { Sessions } from '../sessions.ts'
import type { ThreadStore } from '../store.ts'
import type { createHistoryGaps } from './gaps.ts'
import type { createRowLife } from './row-life.ts'

export interface HistoryQuery {
  readonly schema: string
  readonly table: string
  /** JSON object of primary key columns to their values. */
  readonly key: string
  readonly limit: number
}

export interface HistoryDeps {
  readonly store: ThreadStore
  /** A row's changes, newest first. */
  readonly changesOf: ReturnType<typeof createRowLife>
  /** Where some may be missing. */
  readonly gapsOf: ReturnType<typeof createHistoryGaps>
  /** Why row changes are not recorded here, in a sentence; null where they are. */
  readonly notRecorded: () => string | null
  readonly findSenders: FindSenders
  readonly sessions: Pick<Sessions, 'byIds'>
}

/** A row's history: each change with what made it. */
export function createHistory({ store, changesOf, gapsOf, notRecorded, findSenders, sessions }: HistoryDeps) {
  async function causesOf(changes: readonly ChangeRow[]): Promise<ReadonlyMap<string, Cause>> {
    const jobs = new Map<string, Cause>()
    for (const row of changes) {
      const cause = jobCause(row)
      if (cause !== null) jobs.set(row.request_id, cause)
    }
    const ids = [...new Set(changes.map(({ request_id }) => request_id))].filter((id) => id !== '' && !jobs.has(id))
    const requests = await store.requestsById(ids)
    const [senders, sessionsById] = await Promise.all([
      findSenders(requests),
      sessions.byIds(requests.map(({ session_id }) => session_id).filter((id) => id !== '')),
    ])
    const causes = new Map(jobs)
    // A request whose record has not arrived yet, or is gone by retention, is still known to be one.
    for (const id of ids) causes.set(id, { ...unknownRequest, requestId: id })
    requests.forEach((row, index) => {
      const sender = senders[index] ?? unknownSender
      const session = sessionsById.get(row.session_id)
      // A call that only carried the session's id leads to no recording.
      const isOwn = session !== undefined && sender.foreignWhy === null
      causes.set(row.id, isOwn ? sessionCause(row, session, sender) : requestCause(row, sender))
    })
    return causes
  }

  return {
    /** @throws CLEW_THREAD_BAD_KEY */
    async history(query: HistoryQuery): Promise<RowHistory> {
      const changes = await changesOf({ ...query, key: parseKey(query.key) })
      const [causes, gaps] = await Promise.all([causesOf(changes), gapsOf(changes, changes.length < query.limit)])
      return {
        entries: changes.map((row) => ({
          change: renderChange(row),
          cause: causes.get(row.request_id) ?? { kind: 'sql' },
        })),
        gaps,
        notRecorded: notRecorded(),
      }
    },
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

function jobCause({ request_id: id, job_name: name }: ChangeRow): Cause | null {
  const run = parseJobRunId(id)
  return run === null ? null : { kind: 'job', jobId: run.jobId, runId: run.runId, name: name === '' ? null : name }
}

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

function parseKey(text: string): RowValues {
  const key = parseJson(text)
  if (typeof key !== 'object' || key === null || Array.isArray(key)) throw threadError('CLEW_THREAD_BAD_KEY')
  const entries = Object.entries(key)
  if (entries.length === 0) throw threadError('CLEW_THREAD_BAD_KEY')
  return Object.fromEntries(
    entries.map(([column, value]: [string, unknown]) => {
      if (typeof value === 'object' && value !== null) throw threadError('CLEW_THREAD_BAD_KEY')
      return [column, value === null ? null : String(value)]
    }),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw threadError('CLEW_THREAD_BAD_KEY', { cause })
  }
}
