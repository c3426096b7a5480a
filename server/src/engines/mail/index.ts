export { createInbox, type Inbox, type InboxDeps } from './inbox.ts'
export type { Mail, Mailer } from './mail.ts'
export { createMailer, headersOf, planServer } from './mailer.ts'
export { inboxPlugin } from './plugin.ts'
export { type MailSettings, mailSettings } from './settings.ts'
export type { KeptMail, MailPage } from './store.ts'
export { textMessage } from './text-message.ts'

/** The migrations of schema `clew_mail`. */
export const mailMigrations = new URL('./migrations/', import.meta.url)
