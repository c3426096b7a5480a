import { escapeHtml } from './html.ts'
import type { Mail } from './mail.ts'

/** A text message as the inbox keeps it, where nobody delivers it. */
export const textMessage = (phone: string, message: string): Mail => ({
  to: `+${phone}`,
  subject: 'Text message',
  text: message,
  html: `<p style="margin:16px 18px;font:16px/1.5 system-ui,sans-serif">${escapeHtml(message)}</p>`,
  kind: 'sms',
})
