import type { Mail } from '../../engines/mail/index.ts'
import { escapeHtml } from '../../ground/text/escape-html.ts'

/** A text message as a mail of the inbox, for instances without an SMS provider. */
export const textMessage = (phone: string, message: string): Mail => ({
  to: `+${phone}`,
  subject: 'Text message',
  text: message,
  html: `<p style="margin:16px 18px;font:16px/1.5 system-ui,sans-serif">${escapeHtml(message)}</p>`,
  kind: 'sms',
})
