import { isUuid } from '../../ground/ids/uuidv7.ts'
import type { Sql } from '../postgres/index.ts'
import type { Mailer } from './mail.ts'
import type { MailSettings } from './settings.ts'
import { deleteMails, findMails, insertMail, type KeptMail, type MailFilter, type MailPage, readMail } from './store.ts'

export interface InboxDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly settings?: MailSettings
}

/** Where mails go that nobody shall receive: kept in the database, read over HTTP. */
export interface Inbox extends Mailer {
  /** Newest first. */
  list(page: { readonly start: number; readonly limit: number }): Promise<MailPage>
  /** `to:ann@example.com subject:confirm any words`; every part must be found. */
  search(query: string, page: { readonly start: number; readonly limit: number }): Promise<MailPage>
  /** One mail by its id, or the newest by `latest`; reading marks it as read. */
  get(id: string): Promise<KeptMail | undefined>
  /** Removes the mails of these ids, or all. */
  delete(ids: readonly string[] | null): Promise<void>
}

const keptByDefault = 1000

/** Makes the development inbox. */
export function createInbox({ sql, now, newId, settings }: InboxDeps): Inbox {
  const keep = settings?.inboxKeep ?? keptByDefault
  return {
    send: (mail) => insertMail(sql, { ...mail, id: newId(), createdAt: now() }, keep),
    list: (page) => findMails(sql, [], page),
    search: (query, page) => findMails(sql, parseSearch(query), page),
    get: async (id) => (id === 'latest' || isUuid(id) ? readMail(sql, id, now()) : undefined),
    async delete(ids) {
      const known = ids?.filter(isUuid) ?? null
      if (known === null || known.length > 0) await deleteMails(sql, known)
    },
  }
}

/** Reads a search: `to:` and `subject:` name a field, values may stand in double quotes, other words are looked for anywhere. */
export function parseSearch(query: string): readonly MailFilter[] {
  return [...query.matchAll(/(?:(to|subject):)?(?:"([^"]*)"|(\S+))/gi)].flatMap((match) => {
    const [, field, quoted, bare] = match
    const text = quoted ?? bare ?? ''
    if (text === '') return []
    const kind = field === undefined ? 'any' : field.toLowerCase() === 'to' ? 'to' : 'subject'
    return [{ kind, text }]
  })
}
