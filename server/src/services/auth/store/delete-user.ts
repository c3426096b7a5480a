import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { RequestSql } from './database.ts'

/** Deletes a user. */
export const deleteUserStatement = (id: string): Statement => compile(sql`delete from auth.users where id = ${id}`)

/** Deletes a user; everything that refers to them goes too, or the database rejects it. */
export async function deleteUser(on: RequestSql, id: string): Promise<void> {
  await on.query(deleteUserStatement(id))
}

/** A user whose row stays, and what takes the place of their addresses. */
export interface Forgotten {
  readonly id: string
  readonly email: string
  readonly phone: string
  readonly newEmail: string
  readonly newPhone: string
}

const forgetUserStatement = (user: Forgotten, now: Date): Statement =>
  compile(sql`
    with sessions as (delete from auth.sessions where user_id = ${typed(user.id, 'uuid')}),
      factors as (delete from auth.mfa_factors where user_id = ${typed(user.id, 'uuid')}),
      passkeys as (delete from auth.webauthn_credentials where user_id = ${typed(user.id, 'uuid')})
    update auth.users
    set email = ${user.email}, phone = ${user.phone}, email_change = ${user.newEmail}, phone_change = ${user.newPhone},
      encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = ${now},
      updated_at = ${now}
    where id = ${user.id}`)

/** Takes from a user whatever says who they were, and every way to sign in; the row and its id stay. */
export async function forgetUser(on: RequestSql, user: Forgotten, now: Date): Promise<void> {
  await on.query(forgetUserStatement(user, now))
}

const forgetIdentityStatement = (id: string, providerId: string, now: Date): Statement =>
  compile(sql`
    update auth.identities set provider_id = ${providerId}, identity_data = '{}', updated_at = ${now} where id = ${id}`)

/** Takes from an identity whose it was. */
export async function forgetIdentity(on: RequestSql, id: string, providerId: string, now: Date): Promise<void> {
  await on.query(forgetIdentityStatement(id, providerId, now))
}
