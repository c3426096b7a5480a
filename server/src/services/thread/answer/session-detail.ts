import type { RecordingOutline, WantedMessages } from '../../../ground/model/recording.ts'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { threadError } from '../errors.ts'
import type { ErrorsPort, EventsPort, RecordingsPort, TracesPort } from '../ports.ts'
import type { SessionDetail } from '../schemas/session.ts'
import type { SessionOutline } from '../schemas/session-outline.ts'
import type { ThreadSettings } from '../settings.ts'
import { hasNamelessMoments } from '../timeline/browser.ts'
import type { createClips } from '../timeline/clip/clip-lines.ts'
import { estimateClock } from '../timeline/clock.ts'
import { correlate } from '../timeline/correlate.ts'
import type { NodeNames } from '../timeline/node-names.ts'
import { findOldClient } from '../timeline/old-client.ts'
import type { ReadRecording } from '../timeline/read-recording.ts'
import type { Recorded, Span } from '../timeline/rrweb.ts'
import type { FrameAnswers } from './frames.ts'
import { createSessionRequests, type SessionRequestsDeps } from './session-requests.ts'
import type { Sessions } from './sessions.ts'
import { readSessionTraces } from './traces/session-traces.ts'

export interface SessionDetailDeps extends SessionRequestsDeps {
  readonly sessions: Pick<Sessions, 'byIds'>
  readonly recordings: Pick<RecordingsPort, 'messages' | 'fileLines' | 'offsets' | 'outline'>
  readonly readRecording: ReadRecording
  readonly clipLines: ReturnType<typeof createClips>
  readonly events: EventsPort
  readonly frames: FrameAnswers
  readonly errors: Pick<ErrorsPort, 'ofSession'>
  readonly traces: TracesPort
  readonly settings: ThreadSettings
}

/** A second reading, of the pages themselves, only where something would go without a name. */
const namesOf = async (
  { readRecording, settings }: Pick<SessionDetailDeps, 'readRecording' | 'settings'>,
  id: string,
  recorded: Recorded,
  captured: readonly SessionEvent[],
): Promise<NodeNames> =>
  hasNamelessMoments(recorded, captured)
    ? readRecording.names(id, {
        budgetBytes: settings.namedRecordingMib * 1024 ** 2,
        moments: recorded.moments.length,
      })
    : new Map<string, string>()

/** A recording's offset, as `estimateClock` has it, without the events themselves. */
async function offsetOf({ recordings, events }: SessionDetailDeps, id: string): Promise<number> {
  const [offsets, ofEvents] = await Promise.all([recordings.offsets(id), events.offsetMs(id)])
  if (offsets === null) throw threadError('CLEW_THREAD_RECORDING_NOT_FOUND')
  const all = [offsets[0], ofEvents].filter((ms) => ms !== undefined && ms !== null)
  return all.length === 0 ? 0 : Math.min(...all)
}

/** One session opened: its timeline, and its recording. */
export function createSessionDetail(deps: SessionDetailDeps) {
  const { sessions, recordings, readRecording, clipLines, events, frames, errors, traces, settings } = deps
  const limit = settings.momentsPerSession
  const requestsOf = createSessionRequests(deps)

  return {
    /**
     * @param fromMs of the timeline, the moments from then on, for a reader who has the others
     * @throws CLEW_THREAD_SESSION_NOT_FOUND
     */
    async session(id: string, fromMs = 0): Promise<SessionDetail> {
      const [found, requests, framed, recorded, captured, offsets] = await Promise.all([
        sessions.byIds([id]),
        requestsOf(id),
        frames.ofSession(id, limit),
        readRecording.moments(id, { idleGapMs: settings.idleGapMs, limit: limit * 4 }),
        events.ofSession(id, limit * 2),
        recordings.offsets(id),
      ])
      const session = found.get(id)
      if (session === undefined) throw threadError('CLEW_THREAD_SESSION_NOT_FOUND')
      const clock = estimateClock(offsets, captured)
      const hasExceptions = captured.some(({ event }) => event === '$exception')
      const { keypresses, ...timeline } = correlate({
        startedAt: new Date(session.startedAt),
        clock,
        recorded,
        events: captured,
        names: await namesOf(deps, id, recorded, captured),
        requests,
        frames: framed,
        served: await readSessionTraces(traces, id, requests),
        issues: hasExceptions ? await errors.ofSession(id, limit) : new Map(),
        idleGapMs: settings.idleGapMs,
        maxMoments: limit,
      })
      const moments = timeline.moments.filter(({ atMs }) => atMs >= fromMs)
      const earlier = timeline.moments.length - moments.length
      const oldClient = findOldClient(captured, requests)
      return { ...timeline, session: { ...session, keypresses }, clock, oldClient, moments, earlier }
    },

    /**
     * A session without what happened in it, for which no recording is read.
     *
     * @throws CLEW_THREAD_SESSION_NOT_FOUND
     */
    async outline(id: string): Promise<SessionOutline> {
      const [found, outline] = await Promise.all([sessions.byIds([id]), recordings.outline(id)])
      const session = found.get(id)
      if (session === undefined) throw threadError('CLEW_THREAD_SESSION_NOT_FOUND')
      return { session, recording: outline && inColumns(outline) }
    },

    /**
     * The recording's messages, JSON of a `RecordedMessage` each, with the session's one offset, so that the picture
     * and the timeline agree.
     *
     * @throws CLEW_THREAD_RECORDING_NOT_FOUND
     */
    async recording(id: string, wanted: WantedMessages, signal: AbortSignal): Promise<AsyncIterable<string>> {
      const offsetMs = wanted.clock?.offsetMs ?? (await offsetOf(deps, id))
      return recordings.messages(id, { offsetMs, ...wanted, signal })
    },

    /**
     * The recording's messages as lines of a file.
     *
     * @param span only what lies in a stretch, on the server's clock; null: all of it
     * @throws CLEW_THREAD_RECORDING_NOT_FOUND
     */
    async recordingFile(id: string, signal: AbortSignal, span: Span | null = null): Promise<AsyncIterable<string>> {
      const lines = recordings.fileLines(id, { offsetMs: await offsetOf(deps, id), signal })
      return span === null ? lines : clipLines(lines, span)
    },
  }
}

/** A list for each fact: thousands of parts are told without the names of their facts. */
function inColumns({ begunMs, parts, isCut }: RecordingOutline): NonNullable<SessionOutline['recording']> {
  const windows = [...new Set(parts.map(({ windowId }) => windowId))]
  const places = new Map(windows.map((windowId, place) => [windowId, place]))
  return {
    ...{ begunMs, isCut, windows },
    window: parts.map(({ windowId }) => places.get(windowId) ?? 0),
    tail: parts.map(({ tail }) => tail),
    messages: parts.map(({ messages }) => messages),
    fromMs: parts.map(({ fromMs }) => fromMs),
    lastFromMs: parts.map(({ lastFromMs }) => lastFromMs),
    toMs: parts.map(({ toMs }) => toMs),
    activeFromMs: parts.map(({ active }) => active?.fromMs ?? null),
    activeToMs: parts.map(({ active }) => active?.toMs ?? null),
    hasPage: parts.map(({ hasPage }) => hasPage),
    bytes: parts.map(({ bytes }) => bytes),
  }
}

/**
 * JSON of the `RecordedMessage` with which a picture of a session's first page begins.
 *
 * @throws CLEW_THREAD_RECORDING_NOT_FOUND
 */
export async function readPicture(recordings: Pick<RecordingsPort, 'picture'>, id: string): Promise<string> {
  const message = await recordings.picture(id)
  if (message === null) throw threadError('CLEW_THREAD_RECORDING_NOT_FOUND')
  return message
}
