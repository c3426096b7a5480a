import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { threadError } from '../errors.ts'
import { groupBy } from '../group-by.ts'
import type { EventsPort, RecordingsPort, SendsPort } from '../ports.ts'
import type { SessionDetail } from '../schemas/session.ts'
import type { ThreadSettings } from '../settings.ts'
import { hasNamelessMoments } from '../timeline/browser.ts'
import { estimateClock } from '../timeline/clock.ts'
import { correlate } from '../timeline/correlate.ts'
import type { NodeNames } from '../timeline/node-names.ts'
import { findOldClient } from '../timeline/old-client.ts'
import type { SessionRequest } from '../timeline/places.ts'
import type { ReadRecording } from '../timeline/read-recording.ts'
import type { Recorded } from '../timeline/rrweb.ts'
import { claimOf, type FindKnown } from './people/evidence.ts'
import type { RequestRow } from './queries/requests.ts'
import { linkOf, renderChange, renderLog, renderSend, renderStatement, requestFacts, unlessEmpty } from './render.ts'
import type { Sessions } from './sessions.ts'
import type { ThreadStore } from './store.ts'

export interface SessionDetailDeps {
  readonly sessions: Pick<Sessions, 'byIds'>
  readonly findKnown: FindKnown
  readonly store: ThreadStore
  readonly recordings: Pick<RecordingsPort, 'messages' | 'offsets'>
  readonly readRecording: ReadRecording
  readonly events: EventsPort
  readonly sends: SendsPort
  readonly settings: ThreadSettings
}

/** One session opened: its timeline, and its recording. */
export function createSessionDetail(deps: SessionDetailDeps) {
  const { sessions, findKnown, store, recordings, readRecording, events, sends, settings } = deps
  const limit = settings.momentsPerSession

  async function requestsOf(id: string): Promise<readonly SessionRequest[]> {
    const [known, rows, statements, changes, logs] = await Promise.all([
      findKnown([id]),
      store.requestsOfSession(id, limit),
      store.statementsOfSession(id),
      store.changesOfSession(id),
      store.logsOfSession(id, limit),
    ])
    const asked = await sends.of(rows.filter(({ statements: count }) => count > 0).map((row) => row.id))
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
      logs: (logsOf.get(row.id) ?? []).map(renderLog),
    }))
  }

  /** A second reading, of the pages themselves, only where something would go without a name. */
  const namesOf = async (id: string, recorded: Recorded, captured: readonly SessionEvent[]): Promise<NodeNames> =>
    hasNamelessMoments(recorded, captured)
      ? readRecording.names(id, { budgetBytes: settings.namedRecordingMib * 1024 ** 2 })
      : new Map<string, string>()

  return {
    /** @throws CLEW_THREAD_SESSION_NOT_FOUND */
    async session(id: string): Promise<SessionDetail> {
      const session = (await sessions.byIds([id])).get(id)
      if (session === undefined) throw threadError('CLEW_THREAD_SESSION_NOT_FOUND')
      const [requests, recorded, captured, offsets] = await Promise.all([
        requestsOf(id),
        readRecording.moments(id, { idleGapMs: settings.idleGapMs, limit: limit * 4 }),
        events.ofSession(id, limit * 2),
        recordings.offsets(id),
      ])
      const clock = estimateClock(offsets, captured)
      const timeline = correlate({
        startedAt: new Date(session.startedAt),
        clock,
        recorded,
        events: captured,
        names: await namesOf(id, recorded, captured),
        requests,
        idleGapMs: settings.idleGapMs,
        maxMoments: limit,
      })
      return { session, clock, oldClient: findOldClient(captured, requests), ...timeline }
    },

    /**
     * The recording's messages, JSON of a `RecordedMessage` each, with the session's one offset, so that the picture
     * and the timeline agree.
     *
     * @throws CLEW_THREAD_RECORDING_NOT_FOUND
     */
    async recording(id: string, signal: AbortSignal): Promise<AsyncIterable<string>> {
      const offsets = await recordings.offsets(id)
      if (offsets === null) throw threadError('CLEW_THREAD_RECORDING_NOT_FOUND')
      const { offsetMs } = estimateClock(offsets, await events.ofSession(id, limit * 2))
      return recordings.messages(id, { offsetMs, signal })
    },
  }
}
