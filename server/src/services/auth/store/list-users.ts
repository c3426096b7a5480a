import { compile } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from './database.ts'
import { selectUser } from './users.ts'

/** Which users. */
export interface WantedUsers {
  readonly audience: string
  /** A part of the address or of the full name; empty for all. */
  readonly filter: string
  readonly ascending: boolean
}

/** The user that a page ended with. */
export interface Cursor {
  readonly createdAt: Date
  readonly id: string
}

/** Users after a cursor by when they came; they are not counted. */
export async function listUsersAfter(
  on: RequestSql,
  wanted: WantedUsers,
  after: Cursor | null,
  limit: number,
): Promise<readonly UserRow[]> {
  const direction = constant(wanted.ascending ? 'asc' : 'desc')
  // A cursor knows milliseconds, a row that SQL wrote may know more.
  const beyond =
    after === null
      ? sql``
      : sql`and (date_trunc('milliseconds', u.created_at), u.id) ${constant(wanted.ascending ? '>' : '<')} (
          ${typed(after.createdAt, 'timestamptz')}, ${typed(after.id, 'uuid')}
        )`
  const page = selectUser(sql`
    ${conditionOf(wanted)} ${beyond}
    order by date_trunc('milliseconds', u.created_at) ${direction}, u.id ${direction}
    limit ${limit}`)
  return (await on.query<UserRow>(compile(page))).rows
}

function conditionOf({ audience, filter }: WantedUsers): SqlFragment {
  // `position(… in …)` instead of LIKE: the text may hold `_` and `%`.
  const text = typed(filter, 'text')
  const matching =
    filter === ''
      ? sql``
      : sql`and (
          position(lower(${text}) in lower(u.email)) > 0
          or position(lower(${text}) in lower(u.raw_user_meta_data ->> 'full_name')) > 0
        )`
  return sql`where u.aud = ${audience} ${matching}`
}

/** A page of users by when they came, and how many there are in all. */
export async function listUsers(
  on: RequestSql,
  wanted: WantedUsers,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly users: readonly UserRow[]; readonly total: number }> {
  const condition = conditionOf(wanted)
  const direction = constant(wanted.ascending ? 'asc' : 'desc')
  const page = selectUser(sql`
    ${condition}
    order by u.created_at ${direction}, u.id ${direction}
    limit ${limit} offset ${offset}`)
  const { rows: users } = await on.query<UserRow>(compile(page))
  const counted = await on.query<{ total: number }>(
    compile(sql`select count(*)::int as total from auth.users u ${condition}`),
  )
  return { users, total: counted.rows[0]?.total ?? 0 }
}
