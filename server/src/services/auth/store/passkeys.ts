import { compile, type Statement } from '../../../ground/sql/postgres.ts'
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

const selectPasskeysStatement = (userId: string): Statement =>
  compile(sql`
    select ${passkeyColumns} from auth.webauthn_credentials where user_id = ${userId} order by created_at, id`)

/** Every passkey of a user, oldest first. */
export async function findPasskeys(on: RequestSql, userId: string): Promise<readonly PasskeyRow[]> {
  return (await on.query<PasskeyRow>(selectPasskeysStatement(userId))).rows
}

const selectPasskeyByCredentialStatement = (credentialId: Buffer): Statement =>
  compile(sql`
    select ${passkeyColumns} from auth.webauthn_credentials where credential_id = ${typed(credentialId, 'bytea')}`)

/** The passkey an authenticator answered with. */
export async function findPasskeyByCredential(on: RequestSql, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  return (await on.query<PasskeyRow>(selectPasskeyByCredentialStatement(credentialId))).rows[0]
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

const insertPasskeyStatement = (passkey: NewPasskey, now: Date): Statement =>
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
    returning id`)

/** Adds a passkey; false when the credential is registered already. */
export async function insertPasskey(on: RequestSql, passkey: NewPasskey, now: Date): Promise<boolean> {
  return (await on.query(insertPasskeyStatement(passkey, now))).rows.length === 1
}

interface PasskeyUse {
  readonly signCount: number
  readonly backedUp: boolean
}

const usePasskeyStatement = (id: string, use: PasskeyUse, now: Date): Statement =>
  compile(sql`
    update auth.webauthn_credentials
    set sign_count = ${use.signCount}, backed_up = ${use.backedUp}, last_used_at = ${now}, updated_at = ${now}
    where id = ${id}
      and ((sign_count = 0 and ${typed(use.signCount, 'bigint')} = 0) or sign_count < ${typed(use.signCount, 'bigint')})
    returning id`)

/** Notes a use. False when the counter went back or stood still where it counts: the credential was copied. */
export async function usePasskey(on: RequestSql, id: string, use: PasskeyUse, now: Date): Promise<boolean> {
  return (await on.query(usePasskeyStatement(id, use, now))).rows.length === 1
}

interface PasskeyName {
  readonly id: string
  readonly userId: string
  readonly friendlyName: string
}

const renamePasskeyStatement = (passkey: PasskeyName, now: Date): Statement =>
  compile(sql`
    update auth.webauthn_credentials
    set friendly_name = ${passkey.friendlyName}, updated_at = ${now}
    where id = ${passkey.id} and user_id = ${passkey.userId}
    returning ${passkeyColumns}`)

/** Renames a user's passkey; undefined when there is none. */
export async function renamePasskey(on: RequestSql, passkey: PasskeyName, now: Date): Promise<PasskeyRow | undefined> {
  return (await on.query<PasskeyRow>(renamePasskeyStatement(passkey, now))).rows[0]
}

const deletePasskeyStatement = (userId: string, id: string): Statement =>
  compile(sql`delete from auth.webauthn_credentials where id = ${id} and user_id = ${userId} returning id`)

/** Takes a user's passkey away; false when there is none. */
export async function deletePasskey(on: RequestSql, userId: string, id: string): Promise<boolean> {
  return (await on.query(deletePasskeyStatement(userId, id))).rows.length === 1
}

export interface PasskeyChallenge {
  readonly id: string
  readonly type: 'registration' | 'authentication'
  /** Null where it is not known yet who will answer. */
  readonly userId: string | null
  readonly challenge: string
  readonly expiresAt: Date
}

const insertPasskeyChallengeStatement = (challenge: PasskeyChallenge, now: Date): Statement =>
  compile(sql`
    with ended as (
      delete from auth.webauthn_challenges
      where id in (select id from auth.webauthn_challenges where expires_at < ${now} limit 100)
    )
    insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at)
    values (
      ${challenge.id}, ${typed(challenge.userId, 'uuid')}, ${challenge.type},
      ${typed(JSON.stringify({ challenge: challenge.challenge }), 'jsonb')}, ${now}, ${challenge.expiresAt}
    )`)

/** Stores the challenge of a ceremony, and clears away those that ended. */
export async function insertPasskeyChallenge(on: RequestSql, challenge: PasskeyChallenge, now: Date): Promise<void> {
  await on.query(insertPasskeyChallengeStatement(challenge, now))
}

interface PasskeyChallengeKey {
  readonly id: string
  readonly type: PasskeyChallenge['type']
  readonly userId: string | null
}

const takePasskeyChallengeStatement = (wanted: PasskeyChallengeKey): Statement =>
  compile(sql`
    delete from auth.webauthn_challenges
    where id = ${wanted.id} and challenge_type = ${wanted.type}
      and user_id is not distinct from ${typed(wanted.userId, 'uuid')}
    returning session_data ->> 'challenge' as challenge, expires_at as "expiresAt"`)

/** Takes a challenge, which can be taken once, whatever becomes of the ceremony. */
export async function takePasskeyChallenge(
  on: RequestSql,
  wanted: PasskeyChallengeKey,
): Promise<{ readonly challenge: string; readonly expiresAt: Date } | undefined> {
  return (await on.query<{ challenge: string; expiresAt: Date }>(takePasskeyChallengeStatement(wanted))).rows[0]
}
