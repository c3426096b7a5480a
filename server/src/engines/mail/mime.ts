import type { Mail, Sender } from './mail.ts'

/** Further headers of mails: values by name. */
export type HeaderLists = Readonly<Record<string, readonly string[]>>

/** A mail as nodemailer takes it. Addresses are objects: in a text, a comma would make two of one. */
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

/** The parts of a message that are not in the mail itself. */
export interface Envelope {
  readonly from: Sender
  readonly id: string
  readonly date: Date
  readonly headers: HeaderLists
}

/** Builds a message; `$messageType` in a header's value becomes the kind of the mail. */
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

/** A mail's `Message-ID`, in the domain of its sender. */
export const messageId = (id: string, from: Sender): string => `<${id}@${from.address.split('@')[1] ?? 'localhost'}>`

/** Supabase's header value for the template `reauthentication` is `reauthenticate`. */
const headerKind = (kind: string): string => (kind === 'reauthentication' ? 'reauthenticate' : kind)
