export { threadConsole } from './console.ts'
export { threadError } from './errors.ts'
export type {
  ChangesPort,
  ClockEstimate,
  EventsPort,
  PeoplePort,
  RecordingsPort,
  UserFacts,
  UsersPort,
} from './ports.ts'
export { type ChangeStore, createChangeStore } from './record/change-store.ts'
export { type ThreadSettings, threadSettings } from './settings.ts'
export { createThread, type Thread, type ThreadDeps } from './thread.ts'

/** The tables this room owns, for the engines to make before `createThread`. */
export const threadMigrations = {
  postgres: new URL('./migrations/postgres/', import.meta.url),
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
}

/** Tables of PostgreSQL that hold who was in which session: what a recording of visits brings along. */
export const threadPeopleTables = ['clew_thread.session_users'] as const
