import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { RequestSql } from './database.ts'
import { renewProviders } from './identities.ts'

/** The proof of an account's owner: an identity of a provider, or the address or number itself. */
export type Proof =
  | { readonly kind: 'identity'; readonly provider: string; readonly subject: string }
  | { readonly kind: 'email' }
  | { readonly kind: 'phone' }

const forgetsEmail = sql`
  email = null, email_confirmed_at = null, email_change = '', email_change_token_new = '',
  email_change_token_current = '', email_change_confirm_status = 0`
const forgetsPhone = sql`
  phone = null, phone_confirmed_at = null, phone_change = '', phone_change_token = '', phone_change_sent_at = null`

function emptyAccountStatement(userId: string, proof: Proof, now: Date): Statement {
  const id = typed(userId, 'uuid')
  return compile(sql`
    with sessions as (delete from auth.sessions where user_id = ${id}),
      factors as (delete from auth.mfa_factors where user_id = ${id}),
      passkeys as (delete from auth.webauthn_credentials where user_id = ${id}),
      identities as (delete from auth.identities where user_id = ${id} and not ${isProven(proof)})
    update auth.users
    set encrypted_password = null, updated_at = ${now}, ${proof.kind === 'phone' ? forgetsEmail : forgetsPhone}
    where id = ${id}`)
}

/**
 * Empties an account whose owner is only proven now: a stranger who prepared it may know its password, hold its
 * sessions, or have other ways in. Stays what the proof is about.
 */
export async function emptyAccount(on: RequestSql, userId: string, proof: Proof, now: Date): Promise<void> {
  await on.query(emptyAccountStatement(userId, proof, now))
  await renewProviders(on, userId, now)
}

const isProven = (proof: Proof): SqlFragment =>
  proof.kind === 'identity'
    ? sql`(provider = ${proof.provider} and provider_id = ${proof.subject})`
    : sql`(provider = ${proof.kind})`
