import type { Mailer, MailSettings } from '../../engines/mail/index.ts'
import { senderOf } from '../../engines/mail/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import { isUuid } from '../../ground/ids/uuidv7.ts'
import { parseSearch } from './search.ts'
import {
  deleteMails,
  deleteMatching,
  findMails,
  findMailsTo,
  insertMail,
  type MailHead,
  type MailPage,
  markMails,
  readMail,
  type StoredMail,
} from './store.ts'

/** What the inbox needs: its tables, a clock, ids. */
export interface InboxDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly settings?: Pick<MailSettings, 'inboxKeep' | 'adminEmail' | 'senderName'>
}

/** Keeps mails in the database in place of delivering them. */
export interface Inbox extends Mailer {
  /** Newest first. */
  list(range: MailRange): Promise<MailPage>
  /** Mails that match every part of `to:ann@example.com subject:confirm any words`. */
  search(query: string, range: MailRange): Promise<MailPage>
  /** The heads of mails to one of these addresses, in lower case, up to an instant, newest first. */
  to(addresses: readonly string[], until: Date, limit: number): Promise<readonly MailHead[]>
  /** One mail by its id, or the newest by `latest`. It is marked as read. */
  get(id: string): Promise<StoredMail | undefined>
  /** Marks the mails of these ids, all for null, as read or unread. */
  mark(ids: readonly string[] | null, read: boolean): Promise<void>
  /** Deletes the mails of these ids; all for null. */
  delete(ids: readonly string[] | null): Promise<void>
  /** Deletes the mails that match a search. */
  deleteMatching(query: string): Promise<void>
}

/** Which mails of a list are answered. */
export interface MailRange {
  readonly start: number
  readonly limit: number
}

const defaultKeep = 1000

/** Creates the development inbox. */
export function createInbox({ sql, now, newId, settings }: InboxDeps): Inbox {
  const keep = settings?.inboxKeep ?? defaultKeep
  const from = senderOf(settings)
  return {
    send: (mail) =>
      insertMail(sql, { ...mail, kind: mail.kind ?? '', from, id: newId(), createdAt: now(), read: false }, keep),
    list: (range) => findMails(sql, [], range),
    search: (query, range) => findMails(sql, parseSearch(query), range),
    to: async (addresses, until, limit) => (addresses.length === 0 ? [] : findMailsTo(sql, addresses, until, limit)),
    get: async (id) => (id === 'latest' || isUuid(id) ? readMail(sql, id, now()) : undefined),
    async mark(ids, read) {
      const known = ids?.filter(isUuid) ?? null
      if (known === null || known.length > 0) await markMails(sql, known, read ? now() : null)
    },
    async delete(ids) {
      const known = ids?.filter(isUuid) ?? null
      if (known === null || known.length > 0) await deleteMails(sql, known)
    },
    deleteMatching: (query) => deleteMatching(sql, parseSearch(query)),
  }
}
