import type { Mailer, Sender } from './mail.ts'
import { type HeaderLists, planMessage } from './mime.ts'

/** Where and how mails are handed over. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (port 465) instead of STARTTLS. */
  readonly implicitTls: boolean
  /** Refuses to send without TLS. */
  readonly requireTls: boolean
  readonly user: string | null
  readonly password: string | null
  /** What this host calls itself; nodemailer asks the system when not given. */
  readonly clientName?: string
}

export interface SmtpDeps {
  readonly server: SmtpServer
  readonly from: Sender
  readonly headers: HeaderLists
  readonly timeoutMs: number
  readonly now: () => Date
  readonly newId: () => string
}

/** Sends mails by SMTP, each over a connection of its own: few are sent, and servers close idle ones. */
export function createSmtpMailer({ server, from, headers, timeoutMs, now, newId }: SmtpDeps): Mailer {
  const { host, port, implicitTls, requireTls, user, password, clientName } = server
  const options = {
    host,
    port,
    secure: implicitTls,
    requireTLS: requireTls && !implicitTls,
    // Where none is demanded, TLS with an unknown certificate is no worse than none.
    tls: { rejectUnauthorized: requireTls },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(clientName === undefined ? {} : { name: clientName }),
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
  }
  return {
    async send(mail) {
      // Loaded by the first who sends: most starts are over before.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport(options)
      const message = planMessage(mail, { from, id: newId(), date: now(), headers })
      await within(timeoutMs, transport.sendMail({ ...message, headers: [...message.headers] }))
    },
  }
}

/** A server that answers each command just in time may not take forever all the same. */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The mail server took longer than ${timeoutMs} ms.`)), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
