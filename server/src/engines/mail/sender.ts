import type { Sender } from './mail.ts'
import type { MailSettings } from './settings.ts'

/** The sender where no setting names one: that of other local stacks. */
const defaultSender: Sender = { name: 'Admin', address: 'admin@email.com' }

/** The sender of mails by the settings. */
export const senderOf = (settings: Pick<MailSettings, 'adminEmail' | 'senderName'> | undefined): Sender => ({
  name: settings?.senderName ?? (settings?.adminEmail ? '' : defaultSender.name),
  address: settings?.adminEmail ?? defaultSender.address,
})
