import type { Outbound } from '../outbound/index.ts'
import type { Mail, Mailer } from './mail.ts'

/** What the team is told: as a mail, and as the body of a webhook. */
export interface TeamNotice {
  readonly mail: Omit<Mail, 'to'>
  /** JSON, with a `text` as chat services take it. */
  readonly body: string
}

/** Who is told. */
export interface NoticeReceivers {
  readonly mails: readonly string[]
  readonly webhookUrl: string | null
}

/** How a notice leaves. */
export interface NoticePorts {
  readonly mailer: Mailer
  readonly outbound: Outbound
}

const longestSubject = 200

/** A text as a header: of one line (RFC 5322 §2.2). */
export const subjectOf = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, longestSubject)

/**
 * Posts a notice to the webhook, then mails it.
 *
 * @throws when the webhook does not answer with success, or a mail is not taken; what left before that has left
 */
export async function sendNotice(
  { mailer, outbound }: NoticePorts,
  { mails, webhookUrl }: NoticeReceivers,
  { mail, body }: TeamNotice,
): Promise<void> {
  if (webhookUrl !== null) {
    const headers = { 'content-type': 'application/json' }
    const response = await outbound(webhookUrl, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`The webhook of alerts answered ${response.status}.`)
  }
  for (const to of mails) await mailer.send({ ...mail, to })
}
