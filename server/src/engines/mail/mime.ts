import type { Mail, Sender } from './mail.ts'

/** Headers besides those every mail has, by name. */
export type HeaderLists = Readonly<Record<string, readonly string[]>>

/** A mail as nodemailer takes it. Addresses are given as objects: as text, a comma would make two of one. */
export interface Message {
  readonly from: Sender
  readonly to: Sender
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  readonly date: Date
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly disableFileAccess: true
  readonly disableUrlAccess: true
}

/** What a mail is made from besides itself. */
export interface Envelope {
  readonly from: Sender
  readonly id: string
  readonly date: Date
  readonly headers: HeaderLists
}

/** Puts a mail together; `$messageType` in a header's value is what the mail is about. */
export function planMessage(mail: Mail, { from, id, date, headers }: Envelope): Message {
  const own = Object.entries(headers).flatMap(([key, values]) =>
    values.map((value) => ({ key, value: value.replaceAll('$messageType', headerKind(mail.kind ?? '')) })),
  )
  return {
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: messageId(id, from),
    date,
    headers: own,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A mail's `Message-ID`, in the domain of whom it comes from. */
export const messageId = (id: string, from: Sender): string => `<${id}@${from.address.split('@')[1] ?? 'localhost'}>`

/** Headers say `reauthenticate` where the template is called `reauthentication`. */
const headerKind = (kind: string): string => (kind === 'reauthentication' ? 'reauthenticate' : kind)
