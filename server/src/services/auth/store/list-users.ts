import { compile, type Statement } from '../../../ground/sql/postgres.ts'
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

function selectUsersAfterStatement(wanted: WantedUsers, after: Cursor | null, limit: number): Statement {
  const direction = constant(wanted.ascending ? 'asc' : 'desc')
  const beyond =
    after === null
      ? sql``
      : sql`and (date_trunc('milliseconds', u.created_at), u.id) ${constant(wanted.ascending ? '>' : '<')} (
          ${typed(after.createdAt, 'timestamptz')}, ${typed(after.id, 'uuid')}
        )`
  return compile(
    selectUser(sql`
    ${conditionOf(wanted)} ${beyond}
    order by date_trunc('milliseconds', u.created_at) ${direction}, u.id ${direction}
    limit ${limit}`),
  )
}

/** Users after a cursor by when they came; they are not counted. */
export async function listUsersAfter(
  on: RequestSql,
  wanted: WantedUsers,
  after: Cursor | null,
  limit: number,
): Promise<readonly UserRow[]> {
  return (await on.query<UserRow>(selectUsersAfterStatement(wanted, after, limit))).rows
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

interface UserPage {
  readonly offset: number
  readonly limit: number
}

function selectUsersStatement(wanted: WantedUsers, { offset, limit }: UserPage): Statement {
  const direction = constant(wanted.ascending ? 'asc' : 'desc')
  return compile(
    selectUser(sql`
      ${conditionOf(wanted)}
      order by u.created_at ${direction}, u.id ${direction}
      limit ${limit} offset ${offset}`),
  )
}

const countUsersStatement = (wanted: WantedUsers): Statement =>
  compile(sql`select count(*)::int as total from auth.users u ${conditionOf(wanted)}`)

/** A page of users by when they came, and how many there are in all. */
export async function listUsers(
  on: RequestSql,
  wanted: WantedUsers,
  page: UserPage,
): Promise<{ readonly users: readonly UserRow[]; readonly total: number }> {
  const { rows: users } = await on.query<UserRow>(selectUsersStatement(wanted, page))
  const counted = await on.query<{ total: number }>(countUsersStatement(wanted))
  return { users, total: counted.rows[0]?.total ?? 0 }
}
