export type { SnapshotContext, SnapshotMessage } from './ingest/message.ts'
export {
  createReplay,
  type RecordingLine,
  type RecordingSummary,
  type Replay,
  replayMigrations,
} from './replay.ts'
export { type ReplaySettings, replaySettings } from './settings.ts'
export type { SessionQuery } from './store.ts'
