export {
  createReplay,
  type Replay,
  replayMigrations,
} from './replay.ts'
export { type ReplaySettings, replaySettings } from './settings.ts'
