import { isUuid } from '../../ground/ids/uuidv7.ts'
import type { Sql } from '../postgres/index.ts'
import type { Mailer } from './mail.ts'
import { parseSearch } from './search.ts'
import { senderOf } from './sender.ts'
import type { MailSettings } from './settings.ts'
import {
  deleteMails,
  deleteMatching,
  findMails,
  insertMail,
  type KeptMail,
  type MailPage,
  markMails,
  readMail,
} from './store.ts'

export interface InboxDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly settings?: Pick<MailSettings, 'inboxKeep' | 'adminEmail' | 'senderName'>
}

/** Where mails go that nobody shall receive: kept in the database, read over HTTP. */
export interface Inbox extends Mailer {
  /** Newest first. */
  list(page: Page): Promise<MailPage>
  /** `to:ann@example.com subject:confirm any words`; every part must be found. */
  search(query: string, page: Page): Promise<MailPage>
  /** One mail by its id, or the newest by `latest`; reading marks it as read. */
  get(id: string): Promise<KeptMail | undefined>
  /** Marks the mails of these ids, or all, as read or unread. */
  mark(ids: readonly string[] | null, read: boolean): Promise<void>
  /** Removes the mails of these ids, or all. */
  delete(ids: readonly string[] | null): Promise<void>
  /** Removes the mails that a search finds. */
  deleteMatching(query: string): Promise<void>
}

export interface Page {
  readonly start: number
  readonly limit: number
}

const keptByDefault = 1000

/** Makes the development inbox. */
export function createInbox({ sql, now, newId, settings }: InboxDeps): Inbox {
  const keep = settings?.inboxKeep ?? keptByDefault
  const from = senderOf(settings)
  return {
    send: (mail) =>
      insertMail(sql, { ...mail, kind: mail.kind ?? '', from, id: newId(), createdAt: now(), read: false }, keep),
    list: (page) => findMails(sql, [], page),
    search: (query, page) => findMails(sql, parseSearch(query), page),
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
