import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { SessionSummary } from '../../../lib/api/schemas.ts'
import { inBackground } from '../../../lib/in-background.ts'
import { createDecoder } from '../../../player/decode.ts'
import { readOutline } from '../../../player/reading/outline.ts'
import { createReader, type ReaderSource, type RecordingReader } from '../../../player/reading/reader.ts'
import type { Recording } from '../../../player/recording.ts'
import {
  type PlaybackStart,
  recordingNewsQuery,
  recordingQuery,
  recordingStartQuery,
  sessionOutlineQuery,
} from '../queries.ts'

interface SessionRecording {
  /** What is here of it. */
  readonly recording: Recording | null
  /** Why there is not more. */
  readonly error: Error | null
  readonly retry: () => void
  /** Says where the playback stands. */
  readonly follow: RecordingReader['follow']
}

/** A session's recording, read by the minute; whole where it has more minutes and tabs than are listed. */
export function useRecording({ id, live, hasRecording }: SessionSummary, start: PlaybackStart): SessionRecording {
  const client = useQueryClient()
  const [reader] = useState(() => createReader(sourceOf(client, id, start)))
  const { data: outline } = useQuery({ ...sessionOutlineQuery(id), enabled: hasRecording })
  const [isWhole, setWhole] = useState(false)
  if (!isWhole && outline?.recording?.isCut === true) setWhole(true)
  const [decoder] = useState(createDecoder)
  const whole = useQuery({ ...recordingQuery(id, decoder, live), enabled: hasRecording && isWhole })
  const read = useSyncExternalStore(reader.subscribe, reader.state)
  const isRead = hasRecording && !isWhole
  useEffect(() => {
    if (!isRead) return
    reader.open()
    return reader.close
  }, [reader, isRead])
  const news = useQuery({ ...recordingNewsQuery(id, reader), enabled: isRead && live })
  const { refetch } = whole
  const refetchWhole = () => inBackground(refetch())
  const retry = () => {
    reader.retry()
    if (news.error !== null) inBackground(news.refetch())
  }
  return isWhole && (whole.data !== undefined || read.recording === null)
    ? { recording: whole.data ?? null, error: whole.error, retry: refetchWhole, follow: reader.follow }
    : { recording: read.recording, error: read.error ?? news.error, retry, follow: reader.follow }
}

const sourceOf = (client: QueryClient, id: string, start: PlaybackStart): ReaderSource => ({
  isFromStart: start !== 'end' && start < 1,
  first: () => client.fetchQuery(recordingStartQuery(id, start)),
  outline: async () => {
    const { recording } = await client.fetchQuery(sessionOutlineQuery(id))
    return recording === null ? { begunMs: 0, parts: [] } : readOutline(recording)
  },
  read: ({ fromMs: from, toMs: to }, clock, signal) =>
    api.recording(id, { from, to, ...(clock && { begun: clock.begunMs, offset: clock.offsetMs }) }, { signal }),
  news: (news, signal) => api.recording(id, news, { signal }),
})
