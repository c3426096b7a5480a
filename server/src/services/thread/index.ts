import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { readTraffic } from './answer/traffic.ts'
export { threadConsole } from './console.ts'
export { threadError } from './errors.ts'
export { changesPersonStore, threadPersonStores } from './person-stores.ts'
export type {
  ChangesPort,
  ClockEstimate,
  ErrorsPort,
  EventsPort,
  MailsPort,
  PeoplePort,
  RecordingsPort,
  SendsPort,
  UserFacts,
  UsersPort,
} from './ports.ts'
export { type ChangeStore, createChangeStore } from './record/change-store.ts'
export { copiedBodyBytes } from './record/exchange/exchange-lines.ts'
export { changeLifetime } from './record/retention.ts'
export { sharedFile } from './recording-file.ts'
export { threadService } from './service.ts'
export { type ThreadSettings, threadSettings } from './settings.ts'
export { createThread, type Thread, type ThreadDeps } from './thread.ts'

/** Schema `clew_thread`; requests, statements and row changes in ClickHouse. */
export const threadTables = {
  name: 'thread',
  postgres: new URL('./migrations/postgres/', import.meta.url),
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
  kept: [
    ...['requests', 'statements', 'function_logs', 'frames'].map(
      (name) => ({ kind: 'requests', name, time: 'time', partition: 'day', expires: true }) as const,
    ),
    { kind: 'history', name: 'changes', time: 'commit_time', partition: null, expires: true },
  ],
  people: ['clew_thread.session_users'],
} as const satisfies ServiceTables
