import type { Sender } from './mail.ts'
import type { MailSettings } from './settings.ts'

/** Whom mails of the inbox come from where no setting says so, as in other local stacks. */
const nobody: Sender = { name: 'Admin', address: 'admin@email.com' }

/** Whom mails come from. */
export const senderOf = (settings: Pick<MailSettings, 'adminEmail' | 'senderName'> | undefined): Sender => ({
  name: settings?.senderName ?? (settings?.adminEmail ? '' : nobody.name),
  address: settings?.adminEmail ?? nobody.address,
})
