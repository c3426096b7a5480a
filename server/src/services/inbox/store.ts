import type { Mail, Sender } from '../../engines/mail/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'
import type { MailFilter } from './search.ts'

/** A mail in the inbox. */
export interface StoredMail extends Mail {
  readonly id: string
  readonly from: Sender
  readonly kind: string
  readonly createdAt: Date
  readonly read: boolean
}

const columns = sql`
  id, recipient as "to", subject, body_text as text, body_html as html, created_at as "createdAt", kind,
  jsonb_build_object('name', sender_name, 'address', sender_address) as "from",
  read_at is not null as read`

/** Inserts a mail and deletes all but the newest `keep`. */
export async function insertMail(on: Sql, mail: StoredMail, keep: number): Promise<void> {
  await on.query(
    compile(sql`
      insert into clew_mail.mails (
        id, recipient, subject, body_text, body_html, created_at, sender_name, sender_address, kind
      )
      values (
        ${mail.id}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${mail.createdAt}, ${mail.from.name},
        ${mail.from.address}, ${mail.kind}
      )`),
  )
  await on.query(
    compile(sql`
      delete from clew_mail.mails
      where position <= (select position from clew_mail.mails order by position desc offset ${keep} limit 1)`),
  )
}

/** One page of mails, newest first, with the counts that a list shows. */
export interface MailPage {
  readonly mails: readonly StoredMail[]
  /** Number of mails that match, on all pages. */
  readonly fitting: number
  readonly fittingUnread: number
  /** Number of mails in the inbox. */
  readonly total: number
  readonly unread: number
  /** Number of mails by kind. */
  readonly tags: Readonly<Record<string, number>>
}

/** A page of the mails that match all filters, newest first. */
export async function findMails(
  on: Sql,
  filters: readonly MailFilter[],
  page: { readonly start: number; readonly limit: number },
): Promise<MailPage> {
  const fits = conditionOf(filters)
  const mails = await on.query<StoredMail>(
    compile(sql`
      select ${columns} from clew_mail.mails where ${fits}
      order by position desc limit ${page.limit} offset ${page.start}`),
  )
  const counts = await on.query<Omit<MailPage, 'mails'>>(
    compile(sql`
      select count(*)::int as total, (count(*) filter (where read_at is null))::int as unread,
        (count(*) filter (where ${fits}))::int as fitting,
        (count(*) filter (where read_at is null and ${fits}))::int as "fittingUnread",
        coalesce((
          select jsonb_object_agg(tag.kind, tag.mails)
          from (select kind, count(*)::int as mails from clew_mail.mails where kind <> '' group by kind) as tag
        ), '{}') as tags
      from clew_mail.mails`),
  )
  const [counted = { fitting: 0, fittingUnread: 0, total: 0, unread: 0, tags: {} }] = counts.rows
  return { mails: mails.rows, ...counted }
}

const conditionOf = (filters: readonly MailFilter[]): SqlFragment =>
  filters.reduce<SqlFragment>(
    (all, filter) => (filter.not ? sql`${all} and not ${condition(filter)}` : sql`${all} and ${condition(filter)}`),
    sql`true`,
  )

function condition({ kind, text }: MailFilter): SqlFragment {
  // `position(… in …)` instead of LIKE: an address may hold `_` and `%`.
  const needle = typed(text.toLowerCase(), 'text')
  switch (kind) {
    case 'to':
      return sql`(position(${needle} in lower(recipient)) > 0)`
    case 'from':
      return sql`(position(${needle} in lower(sender_name || ' ' || sender_address)) > 0)`
    case 'addressed':
      return sql`(position(${needle} in lower(recipient || ' ' || sender_address)) > 0)`
    case 'subject':
      return sql`(position(${needle} in lower(subject)) > 0)`
    case 'tag':
      return sql`(lower(kind) = ${needle})`
    case 'message-id':
      return sql`(position(id::text in ${needle}) > 0)`
    case 'is':
      return sql`((read_at is null) = (${needle} = 'unread'))`
    case 'any':
      return sql`(position(${needle} in lower(recipient || ' ' || subject || ' ' || body_text)) > 0)`
    default:
      return kind satisfies never
  }
}

/** Marks a mail as read and returns it; `latest` is the newest. */
export async function readMail(on: Sql, id: string | 'latest', now: Date): Promise<StoredMail | undefined> {
  const which =
    id === 'latest' ? sql`position = (select max(position) from clew_mail.mails)` : sql`id = ${typed(id, 'uuid')}`
  const statement = sql`
    update clew_mail.mails set read_at = coalesce(read_at, ${now}) where ${which} returning ${columns}`
  return (await on.query<StoredMail>(compile(statement))).rows[0]
}

/** Deletes mails by id; all for null. */
export async function deleteMails(on: Sql, ids: readonly string[] | null): Promise<void> {
  const where = ids === null ? sql`` : sql`where id = any (${typed(ids, 'uuid[]')})`
  await on.query(compile(sql`delete from clew_mail.mails ${where}`))
}

/** Deletes the mails that match all filters. */
export async function deleteMatching(on: Sql, filters: readonly MailFilter[]): Promise<void> {
  await on.query(compile(sql`delete from clew_mail.mails where ${conditionOf(filters)}`))
}

/** Marks mails, all for null, as read at an instant, or as unread. */
export async function markMails(on: Sql, ids: readonly string[] | null, readAt: Date | null): Promise<void> {
  const where = ids === null ? sql`` : sql`where id = any (${typed(ids, 'uuid[]')})`
  await on.query(compile(sql`update clew_mail.mails set read_at = ${typed(readAt, 'timestamptz')} ${where}`))
}

/** A mail's head. */
export interface MailHead {
  readonly id: string
  readonly at: Date
  readonly to: string
  readonly subject: string
}

/** Mails to one of these addresses, in lower case, up to an instant, newest first. */
export async function findMailsTo(
  on: Pick<Sql, 'query'>,
  addresses: readonly string[],
  until: Date,
  limit: number,
): Promise<readonly MailHead[]> {
  const { rows } = await on.query<MailHead>(
    compile(sql`
      select id, created_at as at, recipient as "to", subject
      from clew_mail.mails
      where lower(recipient) = any (${typed(addresses, 'text[]')}) and created_at <= ${typed(until, 'timestamptz')}
      order by created_at desc, id desc
      limit ${limit}`),
  )
  return rows
}
