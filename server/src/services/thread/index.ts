import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { readTraffic } from './answer/traffic.ts'
export { threadConsole } from './console.ts'
export { threadError } from './errors.ts'
export { changesPersonStore, threadPersonStores, tracesOfPerson } from './person-stores.ts'
export type {
  ChangesPort,
  ClockEstimate,
  ErrorsPort,
  EventsPort,
  MailsPort,
  PeoplePort,
  RecordingsPort,
  SendsPort,
  TracesPort,
  UserFacts,
  UsersPort,
} from './ports.ts'
export { type ChangeStore, createChangeStore } from './record/change-store.ts'
export { copiedBodyBytes } from './record/exchange/exchange-lines.ts'
export { changeLifetime, requestLifetimes } from './record/retention.ts'
export { sharedFile } from './recording-file.ts'
export { threadService } from './service.ts'
export { type ThreadSettings, threadSettings } from './settings.ts'
export { createThread, type Thread, type ThreadDeps } from './thread.ts'

const ofRequests = { kind: 'requests', time: 'time', partition: 'day', expires: true } as const
const tiesOfRequests = { session: 'session_id', ids: ['distinct_id', 'user_id'] } as const

/** Schema `clew_thread`; requests, statements and row changes in ClickHouse. */
export const threadTables = {
  name: 'thread',
  postgres: new URL('./migrations/postgres/', import.meta.url),
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
  kept: [
    { ...ofRequests, name: 'requests', ties: tiesOfRequests, isError: 'status >= 400 and status != 499' },
    { ...ofRequests, name: 'frames', ties: tiesOfRequests },
    ...['statements', 'function_logs', 'exchanges'].map(
      (name) => ({ ...ofRequests, name, ties: { request: 'request_id' } }) as const,
    ),
    {
      ...{ kind: 'history', name: 'changes', time: 'commit_time', ties: { request: 'request_id' } },
      ...{ partition: null, expires: true },
    },
  ],
  people: ['clew_thread.session_users'],
} as const satisfies ServiceTables
