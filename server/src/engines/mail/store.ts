import { compile } from '../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'
import type { Sql } from '../postgres/index.ts'
import type { Mail } from './mail.ts'

/** A mail that was kept. */
export interface KeptMail extends Mail {
  readonly id: string
  readonly createdAt: Date
  readonly read: boolean
}

const columns = sql`
  id, recipient as "to", subject, body_text as text, body_html as html, created_at as "createdAt",
  read_at is not null as read`

/** Keeps a mail and lets go of all but the newest. */
export async function insertMail(
  on: Sql,
  mail: Mail & { readonly id: string; readonly createdAt: Date },
  keep: number,
): Promise<void> {
  await on.query(
    compile(sql`
      insert into clew_mail.mails (id, recipient, subject, body_text, body_html, created_at)
      values (${mail.id}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${mail.createdAt})`),
  )
  await on.query(
    compile(sql`
      delete from clew_mail.mails
      where position <= (select position from clew_mail.mails order by position desc offset ${keep} limit 1)`),
  )
}

export interface MailPage {
  readonly mails: readonly KeptMail[]
  /** How many there are in all that fit. */
  readonly total: number
  readonly unread: number
}

/** A condition on a mail; every one must hold. */
export type MailFilter = { readonly kind: 'to' | 'subject' | 'any'; readonly text: string }

/** Mails that fit, newest first. */
export async function findMails(
  on: Sql,
  filters: readonly MailFilter[],
  page: { readonly start: number; readonly limit: number },
): Promise<MailPage> {
  const where = filters.reduce<SqlFragment>((all, filter) => sql`${all} and ${condition(filter)}`, sql`where true`)
  const mails = await on.query<KeptMail>(
    compile(sql`
      select ${columns} from clew_mail.mails ${where}
      order by position desc limit ${page.limit} offset ${page.start}`),
  )
  const counts = await on.query<{ total: number; unread: number }>(
    compile(sql`
      select count(*)::int as total, (count(*) filter (where read_at is null))::int as unread
      from clew_mail.mails ${where}`),
  )
  return { mails: mails.rows, total: counts.rows[0]?.total ?? 0, unread: counts.rows[0]?.unread ?? 0 }
}

function condition({ kind, text }: MailFilter): SqlFragment {
  // `position(… in …)` instead of LIKE: an address may hold `_` and `%`.
  const needle = typed(text.toLowerCase(), 'text')
  if (kind === 'to') return sql`position(${needle} in lower(recipient)) > 0`
  if (kind === 'subject') return sql`position(${needle} in lower(subject)) > 0`
  return sql`position(${needle} in lower(recipient || ' ' || subject || ' ' || body_text)) > 0`
}

/** One mail, marked as read; `latest` is the newest. */
export async function readMail(on: Sql, id: string | 'latest', now: Date): Promise<KeptMail | undefined> {
  const which =
    id === 'latest' ? sql`position = (select max(position) from clew_mail.mails)` : sql`id = ${typed(id, 'uuid')}`
  const statement = sql`
    update clew_mail.mails set read_at = coalesce(read_at, ${now}) where ${which} returning ${columns}`
  return (await on.query<KeptMail>(compile(statement))).rows[0]
}

/** Removes mails; without ids all of them. */
export async function deleteMails(on: Sql, ids: readonly string[] | null): Promise<void> {
  const where = ids === null ? sql`` : sql`where id = any (${typed(ids, 'uuid[]')})`
  await on.query(compile(sql`delete from clew_mail.mails ${where}`))
}
