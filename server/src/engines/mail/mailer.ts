import { parseHeaderLists } from './headers.ts'
import type { Mailer } from './mail.ts'
import type { HeaderLists } from './mime.ts'
import { senderOf } from './sender.ts'
import type { MailSettings } from './settings.ts'
import { createSmtpMailer, type SmtpServer } from './smtp.ts'

/** The further headers of the settings, as a mail carries them. */
export const headersOf = ({ smtpHeaders }: Pick<MailSettings, 'smtpHeaders'>): HeaderLists =>
  parseHeaderLists(smtpHeaders ?? '{}') ?? {}

/** The mail server of the settings; null where they name none. */
export function planServer(settings: MailSettings): SmtpServer | null {
  const { smtpUrl, smtpHost, smtpPort, smtpUser, smtpPass, smtpRequireTls } = settings
  if (smtpUrl !== null) {
    const url = new URL(smtpUrl)
    const implicitTls = url.protocol === 'smtps:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return {
      host,
      port: url.port === '' ? (implicitTls ? 465 : 587) : Number(url.port),
      implicitTls,
      requireTls: smtpRequireTls && !isThisMachine(host),
      user: url.username === '' ? null : decodeURIComponent(url.username),
      password: url.username === '' ? null : decodeURIComponent(url.password),
    }
  }
  if (smtpHost === null) return null
  return {
    host: smtpHost,
    port: smtpPort,
    implicitTls: smtpPort === 465,
    requireTls: smtpRequireTls && !isThisMachine(smtpHost),
    user: smtpUser,
    password: smtpPass,
  }
}

const isThisMachine = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)

/** Sends by the mail server that the settings name at the time; by `fallback`, the inbox, where they name none. */
export function createMailer(
  fallback: Mailer,
  settings: MailSettings,
  { now, newId }: { readonly now: () => Date; readonly newId: () => string },
): Mailer {
  const rest = {
    from: senderOf(settings),
    headers: headersOf(settings),
    timeoutMs: settings.smtpTimeoutSeconds * 1000,
    now,
    newId,
  }
  return {
    async send(mail) {
      const server = planServer(settings)
      await (server === null ? fallback : createSmtpMailer({ server, ...rest })).send(mail)
    },
  }
}
