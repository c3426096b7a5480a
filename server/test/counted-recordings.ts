import type { RecordingsPort } from '../src/services/analytics/replay-port.ts'

/** Recordings of which a line says no more than how many events there were; the same in every thread. */
export const recordings: Pick<RecordingsPort, 'scan' | 'toLine' | 'module' | 'rewrite' | 'unpack'> = {
  module: import.meta.url,
  scan: () => null,
  rewrite: () => null,
  unpack: async (_threads, blocks) => blocks,
  toLine: ({ uuid, sessionId, events }) =>
    Buffer.from(
      JSON.stringify({ uuid, session: sessionId, n: 'text' in events ? events.events.length : events.length }),
    ),
}
