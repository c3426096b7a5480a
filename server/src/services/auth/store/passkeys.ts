import { compile } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'
import type { RequestSql } from './database.ts'

/** A passkey of a user. */
export interface PasskeyRow {
  readonly id: string
  readonly userId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  readonly friendlyName: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const passkeyColumns = constant(`
  id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey",
  sign_count::float8 as "signCount", transports, friendly_name as "friendlyName", created_at as "createdAt",
  last_used_at as "lastUsedAt"`)

/** Every passkey of a user, oldest first. */
export async function findPasskeys(on: RequestSql, userId: string): Promise<readonly PasskeyRow[]> {
  const statement = sql`
    select ${passkeyColumns} from auth.webauthn_credentials where user_id = ${userId} order by created_at, id`
  return (await on.query<PasskeyRow>(compile(statement))).rows
}

/** The passkey an authenticator answered with. */
export async function findPasskeyByCredential(on: RequestSql, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  const statement = sql`
    select ${passkeyColumns} from auth.webauthn_credentials where credential_id = ${typed(credentialId, 'bytea')}`
  return (await on.query<PasskeyRow>(compile(statement))).rows[0]
}

export interface NewPasskey {
  readonly id: string
  readonly userId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly attestationType: string
  readonly aaguid: string
  readonly signCount: number
  readonly transports: readonly string[]
  readonly backupEligible: boolean
  readonly backedUp: boolean
}

/** Adds a passkey; false when the credential is registered already. */
export async function insertPasskey(on: RequestSql, passkey: NewPasskey, now: Date): Promise<boolean> {
  const { rows } = await on.query(
    compile(sql`
      insert into auth.webauthn_credentials (
        id, user_id, credential_id, public_key, attestation_type, aaguid, sign_count, transports, backup_eligible,
        backed_up, created_at, updated_at
      )
      values (
        ${passkey.id}, ${passkey.userId}, ${typed(passkey.credentialId, 'bytea')},
        ${typed(passkey.publicKey, 'bytea')}, ${passkey.attestationType}, ${typed(passkey.aaguid, 'uuid')},
        ${passkey.signCount}, ${typed(JSON.stringify(passkey.transports), 'jsonb')}, ${passkey.backupEligible},
        ${passkey.backedUp}, ${now}, ${now}
      )
      on conflict (credential_id) do nothing
      returning id`),
  )
  return rows.length === 1
}

/** Notes a use. False when the counter went back or stood still where it counts: the credential was copied. */
export async function usePasskey(
  on: RequestSql,
  id: string,
  use: { readonly signCount: number; readonly backedUp: boolean },
  now: Date,
): Promise<boolean> {
  const { rows } = await on.query(
    compile(sql`
      update auth.webauthn_credentials
      set sign_count = ${use.signCount}, backed_up = ${use.backedUp}, last_used_at = ${now}, updated_at = ${now}
      where id = ${id}
        and ((sign_count = 0 and ${typed(use.signCount, 'bigint')} = 0) or sign_count < ${typed(use.signCount, 'bigint')})
      returning id`),
  )
  return rows.length === 1
}

/** Gives a user's passkey another name. */
export async function renamePasskey(
  on: RequestSql,
  passkey: { readonly id: string; readonly userId: string; readonly friendlyName: string },
  now: Date,
): Promise<PasskeyRow | undefined> {
  const { rows } = await on.query<PasskeyRow>(
    compile(sql`
      update auth.webauthn_credentials
      set friendly_name = ${passkey.friendlyName}, updated_at = ${now}
      where id = ${passkey.id} and user_id = ${passkey.userId}
      returning ${passkeyColumns}`),
  )
  return rows[0]
}

/** Takes a user's passkey away; false when there is none. */
export async function deletePasskey(on: RequestSql, userId: string, id: string): Promise<boolean> {
  const { rows } = await on.query(
    compile(sql`delete from auth.webauthn_credentials where id = ${id} and user_id = ${userId} returning id`),
  )
  return rows.length === 1
}

export interface PasskeyChallenge {
  readonly id: string
  readonly type: 'registration' | 'authentication'
  /** Null where it is not known yet who will answer. */
  readonly userId: string | null
  readonly challenge: string
  readonly expiresAt: Date
}

/** Keeps the challenge of a ceremony, and clears away those that ended. */
export async function insertPasskeyChallenge(on: RequestSql, challenge: PasskeyChallenge, now: Date): Promise<void> {
  await on.query(
    compile(sql`
      with ended as (
        delete from auth.webauthn_challenges
        where id in (select id from auth.webauthn_challenges where expires_at < ${now} limit 100)
      )
      insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at)
      values (
        ${challenge.id}, ${typed(challenge.userId, 'uuid')}, ${challenge.type},
        ${typed(JSON.stringify({ challenge: challenge.challenge }), 'jsonb')}, ${now}, ${challenge.expiresAt}
      )`),
  )
}

/** Takes a challenge, which can be taken once, whatever becomes of the ceremony. */
export async function takePasskeyChallenge(
  on: RequestSql,
  wanted: { readonly id: string; readonly type: PasskeyChallenge['type']; readonly userId: string | null },
): Promise<{ readonly challenge: string; readonly expiresAt: Date } | undefined> {
  const { rows } = await on.query<{ challenge: string; expiresAt: Date }>(
    compile(sql`
      delete from auth.webauthn_challenges
      where id = ${wanted.id} and challenge_type = ${wanted.type}
        and user_id is not distinct from ${typed(wanted.userId, 'uuid')}
      returning session_data ->> 'challenge' as challenge, expires_at as "expiresAt"`),
  )
  return rows[0]
}
