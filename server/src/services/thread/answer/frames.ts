import { parseJobRunId } from '../../../ground/model/causes/job-run.ts'
import { groupBy } from '../group-by.ts'
import { instantOf } from '../record/request-lines.ts'
import type { Frame, Reached } from '../schemas/frame.ts'
import type { FindCauses } from './causes.ts'
import { claimOf, type FindKnown } from './people/evidence.ts'
import type { FrameRow } from './queries/frames.ts'
import { linkOf, unlessEmpty } from './render.ts'
import { offsetIn } from './requests.ts'
import type { Sessions } from './sessions.ts'
import type { ThreadStore } from './store.ts'

export interface FrameAnswersDeps {
  readonly store: Pick<ThreadStore, 'framesOfSession' | 'framesById' | 'framesOfCauses'>
  readonly findKnown: FindKnown
  readonly findCauses: FindCauses
  readonly sessions: Pick<Sessions, 'byIds'>
}

/** What sockets of recorded sessions sent and received. */
export interface FrameAnswers {
  /** Of one session, oldest first. */
  ofSession(sessionId: string, limit: number): Promise<readonly Frame[]>
  /** The sessions that requests or messages reached, by the id of what did; the first ones of each. */
  reachedBy(causeIds: readonly string[]): Promise<ReadonlyMap<string, readonly Reached[]>>
}

const reachedShown = 20

export function createFrameAnswers({ store, findKnown, findCauses, sessions }: FrameAnswersDeps): FrameAnswers {
  async function causesOf(ids: readonly string[]): Promise<ReadonlyMap<string, NonNullable<Frame['cause']>>> {
    const causes = new Map<string, NonNullable<Frame['cause']>>()
    for (const id of ids) {
      const run = parseJobRunId(id)
      if (run !== null) causes.set(id, { kind: 'job', jobId: run.jobId, runId: run.runId, name: null })
    }
    const messages = await store.framesById(ids.filter((id) => !causes.has(id)))
    const senders = await sessions.byIds(messages.map(({ session_id }) => session_id))
    for (const { id, session_id: sessionId, event, time } of messages) {
      const sender = senders.get(sessionId)
      if (sender === undefined) continue
      const { startedAt, hasRecording, person } = sender
      const atMs = offsetIn(startedAt, instantOf(time).toISOString())
      causes.set(id, { kind: 'message', event, sessionId, atMs, frameId: id, hasRecording, person })
    }
    return new Map([...(await findCauses(ids.filter((id) => !causes.has(id)))), ...causes])
  }

  async function reachedBy(causeIds: readonly string[]): Promise<ReadonlyMap<string, readonly Reached[]>> {
    const rows = await store.framesOfCauses(causeIds, reachedShown)
    const byId = await sessions.byIds(rows.map(({ session_id }) => session_id))
    const reached = new Map<string, Reached[]>()
    for (const [causeId, ofCause] of groupBy(rows, ({ cause_id }) => cause_id)) {
      const known = ofCause.flatMap(({ id: frameId, session_id: sessionId, time, delay_ms: delayMs, kind, event }) => {
        const session = byId.get(sessionId)
        if (session === undefined) return []
        const atMs = offsetIn(session.startedAt, instantOf(time).toISOString())
        return [{ sessionId, atMs, frameId, delayMs, person: session.person, kind, event }]
      })
      reached.set(causeId, known)
    }
    return reached
  }

  return {
    reachedBy,
    async ofSession(id, limit) {
      const rows = await store.framesOfSession(id, limit)
      if (rows.length === 0) return []
      const sent = rows.filter(({ direction }) => direction === 'sent').map((row) => row.id)
      const causeIds = [...new Set(rows.map(({ cause_id }) => cause_id))].filter((cause) => cause !== '')
      const [known, causes, reached] = await Promise.all([findKnown([id]), causesOf(causeIds), reachedBy(sent)])
      const people = known.get(id)?.people
      return rows.map((row) => ({
        ...frameFacts(row),
        link: linkOf(row, people?.foreignWhy(claimOf({ ...row, user_agent: '' })) ?? null),
        cause: causes.get(row.cause_id) ?? null,
        reached: (reached.get(row.id) ?? []).filter(({ sessionId }) => sessionId !== id),
      }))
    },
  }
}

const frameFacts = (row: FrameRow): Omit<Frame, 'link' | 'cause' | 'reached'> => ({
  id: row.id,
  at: instantOf(row.time).toISOString(),
  connectionId: row.connection_id,
  direction: row.direction,
  kind: row.kind,
  topic: row.topic,
  event: row.event,
  bytes: Number(row.bytes),
  delayMs: row.delay_ms,
  skipped: row.skipped,
  windowId: unlessEmpty(row.window_id),
})
