import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { checkRecordings } from './check-recordings.ts'
export { replayError } from './errors.ts'
export { replayPersonStore } from './person-store.ts'
export { createReplay, type Replay } from './replay.ts'
export { replayService } from './service.ts'
export { type ReplaySettings, replaySettings } from './settings.ts'
export { recordingLifetime } from './store.ts'

/** Recordings, in ClickHouse. */
export const replayTables = {
  name: 'replay',
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
  kept: [
    {
      ...{ kind: 'recordings', name: 'snapshots', partition: 'week', expires: true },
      ...{ ties: { session: 'session_id', ids: ['distinct_id'] }, isError: 'console_errors > 0' },
      time: "fromUnixTimestamp64Milli(received_at, 'UTC')",
    },
  ],
} as const satisfies ServiceTables
