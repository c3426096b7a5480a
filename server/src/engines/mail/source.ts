import type { Mail } from './mail.ts'
import { type Envelope, planMessage } from './mime.ts'

/**
 * A mail as it travels (RFC 5322), lines ending in CRLF. One `id` gives the same text each time: it is the MIME boundary
 * as well.
 */
export async function renderSource(mail: Mail, envelope: Envelope): Promise<string> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const message = planMessage(mail, envelope)
  const sent = await transport.sendMail({ ...message, headers: [...message.headers], baseBoundary: envelope.id })
  return sent.message.toString()
}
