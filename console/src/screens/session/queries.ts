import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { SessionDetail } from '../../lib/api/schemas.ts'
import { live } from '../../lib/live/topics.ts'
import type { RecordingDecoder } from '../../player/decode.ts'
import type { RecordingReader } from '../../player/reading/reader.ts'
import type { Recording } from '../../player/recording.ts'
import { growDetail, newMomentsFrom } from './moments/grow.ts'

/** A recording is asked for what is new of it so often at most: what a person does is seen within a second. */
const recordingEveryMs = 200

/** A session with its timeline; while it is live, only what is new of the timeline is asked for. */
export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['session', id],
    queryFn: async ({ client, signal, queryKey }) => {
      const known = client.getQueryData<SessionDetail>(queryKey)
      const from = known === undefined ? 0 : newMomentsFrom(known)
      const answer = await api.session(id, { from }, { signal })
      return growDetail(known, answer, from) ?? api.session(id, { from: 0 }, { signal })
    },
    meta: live([`session:${id}`, 'changes']),
  })

/** A session without its timeline, and what its recording's messages are. */
export const sessionOutlineQuery = (id: string) =>
  queryOptions({
    queryKey: ['session-outline', id],
    queryFn: ({ signal }) => api.sessionOutline(id, { signal }),
    // Of a session of which no recording is known there may be one by now.
    staleTime: ({ state }) => (state.data?.recording === null ? 0 : 10_000),
    refetchOnWindowFocus: false,
  })

/** So much of a recording is read for its first picture: it can be played while the rest comes. */
const startLengthMs = 60_000

/** Where the playback stands at first: in milliseconds of the session, or where the recording has come to. */
export type PlaybackStart = number | 'end'

/** Behind the end of every recording: what its last picture is drawn from stands before. */
const furthestMs = 8.64e15

const firstStretch = (start: PlaybackStart) => {
  if (start === 'end') return { from: furthestMs, withPage: true }
  const from = Math.max(0, Math.floor(start))
  return { from, to: from + startLengthMs, withPage: true }
}

/** The lines with which a recording is shown first. */
export const recordingStartQuery = (id: string, start: PlaybackStart) => {
  const stretch = firstStretch(start)
  return queryOptions({
    queryKey: ['recording-start', id, stretch.from],
    queryFn: ({ signal }) => api.recording(id, stretch, { signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  })
}

/** Reads what arrives of a recording, as long as the session is live. */
export const recordingNewsQuery = (id: string, reader: Pick<RecordingReader, 'grow'>) =>
  queryOptions({
    queryKey: ['recording-news', id],
    queryFn: ({ signal }) => reader.grow(signal).then(() => null),
    meta: live(`recording:${id}`, recordingEveryMs),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/**
 * A session's whole recording, ready to be played; it grows while the session is live.
 *
 * @param decoder the session's own: it remembers what it has decoded
 */
export const recordingQuery = (id: string, decoder: RecordingDecoder, isLive: boolean) =>
  queryOptions<Recording>({
    queryKey: ['recording', id],
    queryFn: async ({ signal }) => decoder.add(await api.recording(id, decoder.news(), { signal })),
    ...(isLive && { meta: live(`recording:${id}`, recordingEveryMs) }),
    staleTime: isLive ? 0 : 60_000,
    refetchOnWindowFocus: false,
    // Megabytes of snapshots: comparing them costs more than drawing them.
    structuralSharing: false,
  })

/** A captured exception with its stack. */
export const exceptionQuery = (issueId: string, exceptionId: string) =>
  queryOptions({
    queryKey: ['error', issueId, 'exception', exceptionId],
    queryFn: ({ signal }) => api.errorException(issueId, exceptionId, { signal }),
  })

/** What operators wrote at moments of a session, by time. */
export const notesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['notes', sessionId],
    queryFn: ({ signal }) => api.notes(sessionId, { signal }),
    meta: live('console'),
  })

/** The links to a session, the latest first. */
export const sharesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['shares', sessionId],
    queryFn: ({ signal }) => api.shares(sessionId, { signal }),
    meta: live('console'),
  })
