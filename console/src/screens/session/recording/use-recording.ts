import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { SessionSummary } from '../../../lib/api/schemas.ts'
import { inBackground } from '../../../lib/in-background.ts'
import { createDecoder } from '../../../player/decode.ts'
import { readOutline } from '../../../player/reading/outline.ts'
import { createReader, type ReaderSource, type RecordingReader } from '../../../player/reading/reader.ts'
import type { Recording } from '../../../player/recording.ts'
import { recordingQuery, recordingStartQuery, sessionOutlineQuery } from '../queries.ts'

interface SessionRecording {
  /** What is here of it. */
  readonly recording: Recording | null
  /** Why there is not more. */
  readonly error: Error | null
  readonly retry: () => void
  /** Says where the playback stands. */
  readonly follow: RecordingReader['follow']
}

/**
 * A session's recording, read by the minute; whole where it grows, or where it has more messages than are listed.
 *
 * @param startMs where the playback stands at first
 */
export function useRecording({ id, live, hasRecording }: SessionSummary, startMs: number): SessionRecording {
  const client = useQueryClient()
  const [reader] = useState(() => createReader(sourceOf(client, id, startMs)))
  const { data: outline } = useQuery({ ...sessionOutlineQuery(id), enabled: hasRecording })
  // A session that was live stays with what was read of it whole.
  const [isWhole, setWhole] = useState(live)
  if (!isWhole && (live || outline?.recording?.isCut === true)) setWhole(true)
  const [decoder] = useState(createDecoder)
  const whole = useQuery({ ...recordingQuery(id, decoder, live), enabled: hasRecording && isWhole })
  const read = useSyncExternalStore(reader.subscribe, reader.state)
  const isRead = hasRecording && !isWhole
  useEffect(() => {
    if (!isRead) return
    reader.open()
    return reader.close
  }, [reader, isRead])
  const { refetch } = whole
  const refetchWhole = () => inBackground(refetch())
  return isWhole && (whole.data !== undefined || read.recording === null)
    ? { recording: whole.data ?? null, error: whole.error, retry: refetchWhole, follow: reader.follow }
    : { ...read, retry: reader.retry, follow: reader.follow }
}

const sourceOf = (client: QueryClient, id: string, startMs: number): ReaderSource => ({
  isFromStart: startMs < 1,
  first: () => client.fetchQuery(recordingStartQuery(id, startMs)),
  outline: async () => {
    const { recording } = await client.fetchQuery(sessionOutlineQuery(id))
    return recording === null ? { begunMs: 0, parts: [] } : readOutline(recording)
  },
  read: ({ fromMs: from, toMs: to }, clock, signal) =>
    api.recording(id, { from, to, ...(clock && { begun: clock.begunMs, offset: clock.offsetMs }) }, { signal }),
})
