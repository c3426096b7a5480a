import { type HeaderLists, planMessage } from './mime.ts'
import type { KeptMail } from './store.ts'

/** A kept mail as it would have travelled (RFC 5322), lines ending in CRLF. */
export async function renderSource(mail: KeptMail, headers: HeaderLists): Promise<string> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const message = planMessage(mail, { from: mail.from, id: mail.id, date: mail.createdAt, headers })
  const sent = await transport.sendMail({
    ...message,
    headers: [...message.headers],
    // The same source each time it is asked for.
    baseBoundary: mail.id,
  })
  return sent.message.toString()
}

/** The headers of a mail's source, folded lines joined, by name in alphabetical order. */
export function readHeaders(source: string): Readonly<Record<string, readonly string[]>> {
  const head = source.split('\r\n\r\n', 1)[0] ?? ''
  const lists = new Map<string, string[]>()
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon)
    lists.set(name, [...(lists.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return Object.fromEntries([...lists].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
