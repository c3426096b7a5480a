import type { Sql } from '../../../engines/postgres/index.ts'
import { violates } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, identifier, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { authError } from '../model/errors.ts'
import type { Metadata, NewUser, UserRow } from '../model/user.ts'
import type { RequestSql } from './database.ts'

/** The columns of a user `u`. */
export const userColumns = constant(`
  u.id, u.aud, u.role, u.email, u.phone,
  u.encrypted_password as "passwordHash",
  u.email_confirmed_at as "emailConfirmedAt",
  u.phone_confirmed_at as "phoneConfirmedAt",
  u.confirmed_at as "confirmedAt",
  u.invited_at as "invitedAt",
  u.confirmation_sent_at as "confirmationSentAt",
  u.recovery_sent_at as "recoverySentAt",
  u.email_change_sent_at as "emailChangeSentAt",
  coalesce(u.email_change_confirm_status, 0) as "emailChangeStatus",
  u.phone_change_sent_at as "phoneChangeSentAt",
  u.reauthentication_sent_at as "reauthenticationSentAt",
  u.last_sign_in_at as "lastSignInAt",
  u.banned_until as "bannedUntil",
  u.deleted_at as "deletedAt",
  u.email_change as "newEmail",
  u.phone_change as "newPhone",
  coalesce(u.raw_app_meta_data, '{}') as "appMetadata",
  coalesce(u.raw_user_meta_data, '{}') as "userMetadata",
  u.is_anonymous as "isAnonymous",
  u.is_sso_user as "isSsoUser",
  u.created_at as "createdAt",
  u.updated_at as "updatedAt",
  coalesce((
    select jsonb_agg(to_jsonb(i) order by i.created_at, i.id) from auth.identities i where i.user_id = u.id
  ), '[]') as identities,
  coalesce((
    select jsonb_agg(to_jsonb(f) - 'secret' - 'web_authn_credential' order by f.created_at)
    from auth.mfa_factors f where f.user_id = u.id
  ), '[]') as factors`)

/** The columns of a user, for a statement that joins others. */
export const selectUser = (rest: SqlFragment): SqlFragment => sql`select ${userColumns} from auth.users u ${rest}`

const selectUserByEmailStatement = (email: string): Statement =>
  compile(selectUser(sql`where lower(u.email) = ${email} and not u.is_sso_user and u.deleted_at is null`))

/** The user an address belongs to; `email` is lower-cased. Users of single sign-on are not found by their address. */
export async function findUserByEmail(on: RequestSql, email: string): Promise<UserRow | undefined> {
  return (await on.query<UserRow>(selectUserByEmailStatement(email))).rows[0]
}

const selectUserByPhoneStatement = (phone: string): Statement =>
  compile(selectUser(sql`where u.phone = ${phone} and not u.is_sso_user and u.deleted_at is null`))

/** The user a phone number belongs to; digits only. */
export async function findUserByPhone(on: RequestSql, phone: string): Promise<UserRow | undefined> {
  return (await on.query<UserRow>(selectUserByPhoneStatement(phone))).rows[0]
}

const selectUserByNewPhoneStatement = (phone: string): Statement =>
  compile(
    selectUser(sql`
    where u.phone_change = ${phone} and not u.is_sso_user and u.deleted_at is null
    order by u.phone_change_sent_at desc nulls last
    limit 1`),
  )

/** The user who asked for a number last and has not confirmed it. */
export async function findUserByNewPhone(on: RequestSql, phone: string): Promise<UserRow | undefined> {
  return (await on.query<UserRow>(selectUserByNewPhoneStatement(phone))).rows[0]
}

const selectUserStatement = (id: string): Statement => compile(selectUser(sql`where u.id = ${id}`))

/** The user of an id. */
export async function findUser(on: RequestSql, id: string): Promise<UserRow | undefined> {
  return (await on.query<UserRow>(selectUserStatement(id))).rows[0]
}

const selectInvitedStatement = (token: string): Statement =>
  compile(selectUser(sql`where u.confirmation_token = ${token}`))

/** The user who has not answered a confirmation or invitation yet that carries this token. */
export async function findInvited(on: RequestSql, token: string): Promise<UserRow | undefined> {
  return (await on.query<UserRow>(selectInvitedStatement(token))).rows[0]
}

const lockUserStatement = (id: string): Statement => compile(selectUser(sql`where u.id = ${id} for update of u`))

/** The user of an id, its row locked until the transaction ends. */
export async function lockUser(on: RequestSql, id: string): Promise<UserRow | undefined> {
  return (await on.query<UserRow>(lockUserStatement(id))).rows[0]
}

const insertUserStatement = (user: NewUser, now: Date): Statement =>
  compile(sql`
    insert into auth.users (
      instance_id, id, aud, role, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at,
      raw_app_meta_data, raw_user_meta_data, created_at, updated_at, is_anonymous, is_sso_user, banned_until,
      confirmation_token, recovery_token, email_change_token_new, email_change
    )
    values (
      '00000000-0000-0000-0000-000000000000', ${user.id}, ${user.audience}, ${user.role}, ${user.email}, ${user.phone},
      ${user.passwordHash}, ${user.emailConfirmedAt}, ${user.phoneConfirmedAt}, ${JSON.stringify(user.appMetadata)},
      ${JSON.stringify(user.userMetadata)}, ${now}, ${now}, ${user.isAnonymous}, ${user.isSsoUser ?? false},
      ${user.bannedUntil ?? null}, '', '', '', ''
    )`)

/** Adds a user; the database rejects a second one of an address (23505). */
export async function insertUser(on: RequestSql, user: NewUser, now: Date): Promise<void> {
  await on.query(insertUserStatement(user, now))
}

export interface NewIdentity {
  readonly id: string
  readonly userId: string
  readonly provider: string
  /** The user's id at the provider; the user's own for `email` and `phone`. */
  readonly providerId?: string
  readonly data: Metadata
}

const insertIdentityStatement = (identity: NewIdentity, now: Date): Statement =>
  compile(sql`
    insert into auth.identities (
      id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
    )
    values (
      ${identity.id}, ${identity.providerId ?? identity.userId}, ${identity.userId}, ${JSON.stringify(identity.data)},
      ${identity.provider}, ${now}, ${now}, ${now}
    )`)

/** Adds a way for a user to sign in. */
export async function insertIdentity(on: RequestSql, identity: NewIdentity, now: Date): Promise<void> {
  await on.query(insertIdentityStatement(identity, now))
}

const changeable = {
  aud: 'aud',
  role: 'role',
  email: 'email',
  phone: 'phone',
  passwordHash: 'encrypted_password',
  emailConfirmedAt: 'email_confirmed_at',
  confirmationSentAt: 'confirmation_sent_at',
  recoverySentAt: 'recovery_sent_at',
  emailChangeSentAt: 'email_change_sent_at',
  emailChangeStatus: 'email_change_confirm_status',
  emailChangeTokenNew: 'email_change_token_new',
  emailChangeTokenCurrent: 'email_change_token_current',
  lastSignInAt: 'last_sign_in_at',
  newEmail: 'email_change',
  appMetadata: 'raw_app_meta_data',
  userMetadata: 'raw_user_meta_data',
  isAnonymous: 'is_anonymous',
  confirmationToken: 'confirmation_token',
  recoveryToken: 'recovery_token',
  phoneConfirmedAt: 'phone_confirmed_at',
  newPhone: 'phone_change',
  phoneChangeToken: 'phone_change_token',
  phoneChangeSentAt: 'phone_change_sent_at',
  reauthenticationToken: 'reauthentication_token',
  reauthenticationSentAt: 'reauthentication_sent_at',
  invitedAt: 'invited_at',
  bannedUntil: 'banned_until',
} as const

export type UserChange = {
  readonly [Name in keyof typeof changeable]?: Name extends keyof UserRow ? UserRow[Name] : string
}

function updateUserStatement(id: string, change: UserChange, now: Date): Statement {
  const assignments = Object.entries(changeable).flatMap(([name, column]) => {
    // Keys of `changeable` are the keys of UserChange; the index signature does not say so.
    const value = change[name as keyof UserChange]
    if (value === undefined) return []
    const isJson = column === 'raw_app_meta_data' || column === 'raw_user_meta_data'
    return [sql`${identifier(column)} = ${isJson ? typed(JSON.stringify(value), 'jsonb') : value}`]
  })
  return compile(sql`
    update auth.users set ${join([...assignments, sql`updated_at = ${now}`])} where id = ${id}`)
}

/** Sets columns of a user. */
export async function updateUser(on: RequestSql, id: string, change: UserChange, now: Date): Promise<void> {
  await on.query(updateUserStatement(id, change, now))
}

const updateIdentityStatement = (userId: string, provider: string, data: Metadata, now: Date): Statement =>
  compile(sql`
    update auth.identities
    set identity_data = identity_data || ${typed(JSON.stringify(data), 'jsonb')}, updated_at = ${now}
    where user_id = ${userId} and provider = ${provider}`)

/** Lays fields over the data of a user's identity of a provider. */
export async function updateIdentity(
  on: RequestSql,
  userId: string,
  provider: string,
  data: Metadata,
  now: Date,
): Promise<void> {
  await on.query(updateIdentityStatement(userId, provider, data, now))
}

const selectNamesStatement = (ids: readonly string[]): Statement =>
  compile(sql`
    select id, nullif(email, '') as email,
      coalesce(raw_user_meta_data ->> 'full_name', raw_user_meta_data ->> 'name') as name
    from auth.users
    where id = any (${typed(ids, 'uuid[]')})`)

/** Address and name of users, for showing; unknown ids are left out. */
export async function findNames(
  on: Sql,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly email: string | null; readonly name: string | null }[]> {
  return (await on.query<{ id: string; email: string | null; name: string | null }>(selectNamesStatement(ids))).rows
}

/** When and how a user signs in. */
export interface UserAccount {
  readonly createdAt: Date
  readonly lastSignInAt: Date | null
  readonly bannedUntil: Date | null
  readonly providers: readonly string[]
  /** Sign-ins that have not ended. */
  readonly sessions: number
}

const selectAccountStatement = (id: string): Statement =>
  compile(sql`
    select u.created_at as "createdAt", u.last_sign_in_at as "lastSignInAt", u.banned_until as "bannedUntil",
      array(select distinct i.provider from auth.identities i where i.user_id = u.id order by 1) as providers,
      (select count(*)::int from auth.sessions s where s.user_id = u.id) as sessions
    from auth.users u
    where u.id = ${typed(id, 'uuid')}`)

/** When and how a user signs in; null for an unknown one. */
export async function findAccount(on: Sql, id: string): Promise<UserAccount | null> {
  return (await on.query<UserAccount>(selectAccountStatement(id))).rows[0] ?? null
}

const selectIdsMatchingStatement = (text: string, limit: number): Statement =>
  compile(sql`
    select id from auth.users
    where position(lower(${typed(text, 'text')}) in lower(email)) > 0
      or position(lower(${typed(text, 'text')}) in lower(
        coalesce(raw_user_meta_data ->> 'full_name', raw_user_meta_data ->> 'name'))) > 0
    order by created_at desc
    limit ${limit}`)

/** Ids of users whose address or name holds a text, in any case; newest first. */
export async function findIdsMatching(on: Sql, text: string, limit: number): Promise<readonly string[]> {
  // `position(… in …)` instead of LIKE: the text may hold `_` and `%`.
  return (await on.query<{ id: string }>(selectIdsMatchingStatement(text, limit))).rows.map((row) => row.id)
}

/** The row of an id that must be there. */
export async function getUserRow(sql: RequestSql, id: string): Promise<UserRow> {
  const user = await findUser(sql, id)
  // A trigger of the application may have taken the row away again.
  if (user === undefined) throw authError('unexpected_failure')
  return user
}

/** The contact that another user has already; null for any other error. */
export function duplicateOf(error: unknown): 'email' | 'phone' | null {
  if (violates(error, 'users_email_partial_key')) return 'email'
  return violates(error, 'users_phone_key') ? 'phone' : null
}
