import type { Sender } from './mail.ts'
import { messageId } from './mime.ts'
import type { KeptMail, MailPage } from './store.ts'

type Shape = Readonly<Record<string, unknown>>

/** A page of mails, as Mailpit lists them. */
export function renderList(page: MailPage, start: number): Shape {
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
function renderSummary(mail: KeptMail): Shape {
  return {
    ...common(mail),
    Read: mail.read,
    Created: mail.createdAt.toISOString(),
    Attachments: 0,
    Snippet: mail.text.replace(/\s+/g, ' ').trim().slice(0, 250),
  }
}

/** One mail, opened. */
export function renderMessage(mail: KeptMail): Shape {
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

function common(mail: KeptMail): Shape {
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

const renderAddress = ({ name, address }: Sender): Shape => ({ Name: name, Address: address })

/** What runs here and how much it keeps. */
export function renderInfo(page: MailPage): Shape {
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
export function renderMailbox(name: string, mail: KeptMail): Shape {
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

const sizeOf = (mail: KeptMail): number => Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html)
