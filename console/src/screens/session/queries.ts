import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { RecordingDecoder } from '../../player/decode.ts'
import type { Recording } from '../../player/recording.ts'

const liveMs = 2_000

/** A session with its timeline; asked again while the person is still there. */
export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['session', id],
    queryFn: ({ signal }) => api.session(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.session.live ? liveMs : false),
  })

/**
 * A session's recording, ready to be played; it grows while the session is live.
 *
 * @param decoder the session's own: it remembers what it has decoded
 */
export const recordingQuery = (id: string, decoder: RecordingDecoder, live: boolean) =>
  queryOptions<Recording>({
    queryKey: ['recording', id],
    queryFn: async ({ signal }) => decoder.add(await api.recording(id, { signal })),
    refetchInterval: live ? liveMs : false,
    staleTime: live ? 0 : 60_000,
    refetchOnWindowFocus: false,
    // Megabytes of snapshots: comparing them costs more than drawing them.
    structuralSharing: false,
  })
