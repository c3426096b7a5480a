import type { Sender } from '../../engines/mail/index.ts'
import { messageId } from '../../engines/mail/index.ts'
import type { MailPage, StoredMail } from './store.ts'

type Json = Readonly<Record<string, unknown>>

/** A page of mails, as Mailpit lists it. */
export function renderList(page: MailPage, start: number): Json {
  return {
    messages: page.mails.map(renderSummary),
    total: page.total,
    unread: page.unread,
    count: page.mails.length,
    messages_count: page.fitting,
    messages_unread: page.fittingUnread,
    start,
    tags: Object.keys(page.tags).toSorted(),
  }
}

/** One mail in a list. */
function renderSummary(mail: StoredMail): Json {
  return {
    ...common(mail),
    Read: mail.read,
    Created: mail.createdAt.toISOString(),
    Attachments: 0,
    Snippet: mail.text.replace(/\s+/g, ' ').trim().slice(0, 250),
  }
}

/** One mail, opened. */
export function renderMessage(mail: StoredMail): Json {
  return {
    ...common(mail),
    Date: mail.createdAt.toISOString(),
    Text: mail.text,
    HTML: mail.html,
    ReturnPath: mail.from.address,
    ListUnsubscribe: { Header: '', Links: [], Errors: '', HeaderPost: '' },
    Inline: [],
    Attachments: [],
  }
}

function common(mail: StoredMail): Json {
  return {
    ID: mail.id,
    MessageID: messageId(mail.id, mail.from).slice(1, -1),
    From: renderAddress(mail.from),
    To: [renderAddress({ name: '', address: mail.to })],
    Cc: [],
    Bcc: [],
    ReplyTo: [],
    Subject: mail.subject,
    Tags: mail.kind === '' ? [] : [mail.kind],
    Size: sizeOf(mail),
    Username: '',
  }
}

const renderAddress = ({ name, address }: Sender): Json => ({ Name: name, Address: address })

/** Mailpit's description of the server and its mailbox. */
export function renderInfo(page: MailPage): Json {
  return {
    Version: 'clew',
    LatestVersion: 'clew',
    Database: 'clew_mail',
    DatabaseSize: 0,
    Messages: page.total,
    Unread: page.unread,
    Tags: page.tags,
    RuntimeStats: {
      Uptime: Math.floor(process.uptime()),
      Memory: process.memoryUsage.rss(),
      MessagesDeleted: 0,
      SMTPAccepted: page.total,
      SMTPAcceptedSize: 0,
      SMTPRejected: 0,
      SMTPIgnored: 0,
    },
  }
}

/** One mail as Inbucket shows it. */
export function renderMailbox(name: string, mail: StoredMail): Json {
  return {
    mailbox: name,
    id: mail.id,
    from: mail.from.address,
    to: [mail.to],
    subject: mail.subject,
    date: mail.createdAt.toISOString(),
    size: sizeOf(mail),
  }
}

const sizeOf = (mail: StoredMail): number => Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html)
