import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { RequestSql } from './database.ts'

/** How users are told apart in the console. */
export type UserState = 'confirmed' | 'unconfirmed' | 'banned' | 'anonymous' | 'deleted'

/** By when users came, or last signed in; the latest first. */
export type UserSort = 'created' | 'signed in'

/** Which users the console shows. */
export interface ConsoleUsersQuery {
  /** A part of the address, the number or the name, or an id; empty for all. */
  readonly text: string
  readonly state: UserState | null
  /** A provider that they sign in with; null for any. */
  readonly provider: string | null
  /** Only those who signed in since. */
  readonly signedInSince: Date | null
  /** Only those who came since. */
  readonly createdSince: Date | null
  readonly sort: UserSort
  /** The id of the user that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** A user of a list. */
export interface ConsoleUserRow {
  readonly id: string
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
  readonly state: UserState
  readonly providers: readonly string[]
  readonly createdAt: Date | null
  readonly lastSignInAt: Date | null
}

/** As their indexes have them. */
const orders: Readonly<Record<UserSort, SqlFragment>> = {
  created: sql`coalesce(u.created_at, '-infinity'::timestamptz)`,
  'signed in': sql`coalesce(u.last_sign_in_at, '-infinity'::timestamptz)`,
}

const states: Readonly<Record<UserState, SqlFragment>> = {
  deleted: sql`u.deleted_at is not null`,
  banned: sql`u.deleted_at is null and u.banned_until > now()`,
  anonymous: sql`u.deleted_at is null and u.is_anonymous`,
  confirmed: sql`u.deleted_at is null and u.confirmed_at is not null`,
  unconfirmed: sql`u.deleted_at is null and not u.is_anonymous and u.confirmed_at is null`,
}

function matching(text: string): SqlFragment {
  if (text === '') return sql``
  const wanted = typed(text.toLowerCase(), 'text')
  // `position(… in …)` instead of LIKE: the text may hold `_` and `%`.
  return sql`and (
    position(${wanted} in lower(u.email)) > 0
    or position(${typed(text.replace(/^\+/, ''), 'text')} in u.phone) > 0
    or position(${wanted} in lower(coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name'))) > 0
    or u.id::text = ${wanted}
  )`
}

/** A page of users, the latest first, by the indexes of migrations 0060 and 0061. */
export const selectConsoleUsersStatement = ({
  text,
  state,
  provider,
  signedInSince,
  createdSince,
  sort,
  after,
  limit,
}: ConsoleUsersQuery): Statement => {
  const order = orders[sort]
  return compile(sql`
    select u.id, nullif(u.email, '') as email, nullif(u.phone, '') as phone,
      coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name') as name,
      case
        when u.deleted_at is not null then 'deleted'
        when u.banned_until > now() then 'banned'
        when u.is_anonymous then 'anonymous'
        when u.confirmed_at is not null then 'confirmed'
        else 'unconfirmed'
      end as state,
      array(select distinct i.provider from auth.identities i where i.user_id = u.id order by 1) as providers,
      u.created_at as "createdAt", u.last_sign_in_at as "lastSignInAt"
    from auth.users u
    where true
      ${matching(text)}
      ${state === null ? sql`` : sql`and ${states[state]}`}
      ${
        provider === null
          ? sql``
          : sql`and exists (select from auth.identities i where i.user_id = u.id and i.provider = ${provider})`
      }
      ${signedInSince === null ? sql`` : sql`and u.last_sign_in_at >= ${signedInSince}`}
      ${createdSince === null ? sql`` : sql`and u.created_at >= ${createdSince}`}
      ${
        after === null
          ? sql``
          : sql`and (${order}, u.id) < (
              (select ${order} from auth.users u where u.id = ${typed(after, 'uuid')}), ${typed(after, 'uuid')}
            )`
      }
    order by ${order} desc, u.id desc
    limit ${limit}`)
}

/** A page of users, the latest first. */
export const findConsoleUsers = async (on: RequestSql, query: ConsoleUsersQuery): Promise<readonly ConsoleUserRow[]> =>
  (await on.query<ConsoleUserRow>(selectConsoleUsersStatement(query))).rows

/** A sign-in that has not ended. */
export interface ConsoleSessionRow {
  readonly id: string
  readonly createdAt: Date | null
  readonly refreshedAt: Date | null
  readonly userAgent: string | null
  readonly address: string | null
  readonly level: string
}

const selectSessionsStatement = (userId: string): Statement =>
  compile(sql`
    select s.id, s.created_at as "createdAt", s.refreshed_at at time zone 'utc' as "refreshedAt",
      s.user_agent as "userAgent", host(s.ip) as address, coalesce(s.aal, 'aal1')::text as level
    from auth.sessions s
    where s.user_id = ${typed(userId, 'uuid')}
    order by coalesce(s.refreshed_at at time zone 'utc', s.created_at) desc nulls last
    limit 100`)

/** The latest sessions of a user. */
export const findConsoleSessions = async (on: RequestSql, userId: string): Promise<readonly ConsoleSessionRow[]> =>
  (await on.query<ConsoleSessionRow>(selectSessionsStatement(userId))).rows
