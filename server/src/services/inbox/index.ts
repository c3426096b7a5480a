import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { mailRoutes } from './console-routes.ts'
export { inboxError } from './errors.ts'
export { createInbox, type Inbox, type InboxDeps } from './inbox.ts'
export { inboxPersonStore } from './person-store.ts'
export { inboxPlugin } from './plugin.ts'
export type { MailPage, StoredMail } from './store.ts'
export { textMessage } from './text-message.ts'

/** Schema `clew_mail`. */
export const inboxTables = {
  name: 'mail',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables
