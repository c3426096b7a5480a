import type { ServiceTables } from '../../ground/model/service-tables.ts'

export type { TicketKeys } from './caller/tickets.ts'
export { type RealtimeConsoleDeps, realtimeConsole } from './console/console.ts'
export { realtimeConsoleError } from './console/errors.ts'
export { realtimeError } from './errors.ts'
export { messagesPersonStore } from './messages/person-store.ts'
export { createRealtime, type Realtime, type RealtimeDeps } from './realtime.ts'
export { realtimeService } from './service.ts'
export { type RealtimeSettings, realtimeSettings } from './settings.ts'

/** Schema `clew_realtime`: what the service alone knows. Messages are in `realtime`, which the engine makes. */
export const realtimeTables = {
  name: 'realtime',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables
