export { createInbox, type Inbox, type InboxDeps } from './inbox.ts'
export { inboxPlugin } from './plugin.ts'
export type { KeptMail, MailPage } from './store.ts'
export { textMessage } from './text-message.ts'

/** The migrations of schema `clew_mail`. */
export const inboxMigrations = new URL('./migrations/', import.meta.url)
