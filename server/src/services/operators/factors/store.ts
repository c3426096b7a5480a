import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { NewPasskey, Passkey } from './passkeys.ts'

/** The authenticator app of an operator. */
export interface StoredTotp {
  readonly sealedSecret: string
  /** Null until its first code was right: until then it is no factor. */
  readonly confirmedAt: Date | null
  /** The time step of the code accepted last (RFC 6238 §4.2). */
  readonly lastStep: number | null
}

/** An operator's second factors. */
export interface Factors {
  readonly totp: StoredTotp | null
  readonly passkeys: readonly Passkey[]
  /** How many recovery codes are unused. */
  readonly recoveryCodes: number
}

/** Whether the authenticator app is confirmed. */
export const hasConfirmedTotp = ({ totp }: Pick<Factors, 'totp'>): boolean => totp !== null && totp.confirmedAt !== null

/** Whether an account requires a second factor beside the password. */
export const hasFactor = (factors: Factors): boolean => hasConfirmedTotp(factors) || factors.passkeys.length > 0

/** The factors of an operator. */
export async function findFactors(on: Sql, operatorId: string): Promise<Factors> {
  const totp = await on.query<StoredTotp>(selectTotpStatement(operatorId))
  const passkeys = await on.query<Passkey>(selectPasskeysStatement(operatorId))
  const codes = await on.query<{ count: number }>(countRecoveryCodesStatement(operatorId))
  return { totp: totp.rows[0] ?? null, passkeys: passkeys.rows, recoveryCodes: codes.rows[0]?.count ?? 0 }
}

const selectTotpStatement = (operatorId: string): Statement =>
  compile(sql`
    select sealed_secret as "sealedSecret", confirmed_at as "confirmedAt", last_step::float8 as "lastStep"
    from clew_operators.operator_totp
    where operator_id = ${typed(operatorId, 'uuid')}`)

const selectPasskeysStatement = (operatorId: string): Statement =>
  compile(sql`
    select id, name, credential_id as "credentialId", public_key as "publicKey", sign_count::float8 as "signCount",
      transports, created_at as "createdAt", last_used_at as "lastUsedAt"
    from clew_operators.operator_passkeys
    where operator_id = ${typed(operatorId, 'uuid')}
    order by created_at, id`)

const countRecoveryCodesStatement = (operatorId: string): Statement =>
  compile(sql`
    select count(*)::int as count
    from clew_operators.operator_recovery_codes
    where operator_id = ${typed(operatorId, 'uuid')}`)

/** Stores the secret of an app that is not confirmed yet, in place of an earlier unconfirmed one. */
export const putPendingTotp = (on: Sql, operatorId: string, sealedSecret: string, now: Date): Promise<unknown> =>
  on.query(upsertPendingTotpStatement(operatorId, sealedSecret, now))

const upsertPendingTotpStatement = (operatorId: string, sealedSecret: string, now: Date): Statement =>
  compile(sql`
    insert into clew_operators.operator_totp (operator_id, sealed_secret, created_at)
    values (${typed(operatorId, 'uuid')}, ${sealedSecret}, ${now})
    on conflict (operator_id) do update
    set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, last_step = null
    where operator_totp.confirmed_at is null`)

/** Consumes a code of an app, and confirms the app by its first; false when a concurrent call consumed it. */
export const useTotpStep = async (on: Sql, operatorId: string, step: number, now: Date): Promise<boolean> =>
  (await on.query(updateTotpStepStatement(operatorId, step, now))).rowCount === 1

const updateTotpStepStatement = (operatorId: string, step: number, now: Date): Statement =>
  compile(sql`
    update clew_operators.operator_totp
    set last_step = ${typed(step, 'bigint')}, confirmed_at = coalesce(confirmed_at, ${now})
    where operator_id = ${typed(operatorId, 'uuid')}
      and (last_step is null or last_step < ${typed(step, 'bigint')})`)

/** Deletes the authenticator app of an operator. */
export const deleteTotp = (on: Sql, operatorId: string): Promise<unknown> => on.query(deleteTotpStatement(operatorId))

const deleteTotpStatement = (operatorId: string): Statement =>
  compile(sql`delete from clew_operators.operator_totp where operator_id = ${typed(operatorId, 'uuid')}`)

type NamedPasskey = NewPasskey & Pick<Passkey, 'id' | 'name'>

/** Stores a passkey; false when its credential is stored already. */
export const insertPasskey = async (on: Sql, operatorId: string, passkey: NamedPasskey, now: Date): Promise<boolean> =>
  (await on.query(insertPasskeyStatement(operatorId, passkey, now))).rowCount === 1

const insertPasskeyStatement = (operatorId: string, passkey: NamedPasskey, now: Date): Statement =>
  compile(sql`
    insert into clew_operators.operator_passkeys (
      id, operator_id, name, credential_id, public_key, sign_count, transports, created_at
    )
    values (
      ${typed(passkey.id, 'uuid')}, ${typed(operatorId, 'uuid')}, ${passkey.name}, ${passkey.credentialId},
      ${typed(passkey.publicKey, 'bytea')}, ${typed(passkey.signCount, 'bigint')},
      ${typed(passkey.transports, 'text[]')}, ${now}
    )
    on conflict (credential_id) do nothing`)

/** Records that a passkey was used, with its new signature counter. */
export const touchPasskey = (on: Sql, id: string, signCount: number, now: Date): Promise<unknown> =>
  on.query(updatePasskeyUseStatement(id, signCount, now))

const updatePasskeyUseStatement = (id: string, signCount: number, now: Date): Statement =>
  compile(sql`
    update clew_operators.operator_passkeys set sign_count = ${typed(signCount, 'bigint')}, last_used_at = ${now}
    where id = ${typed(id, 'uuid')}`)

/** Renames a passkey of an operator; false when they have no such passkey. */
export const renamePasskey = async (on: Sql, operatorId: string, id: string, name: string): Promise<boolean> =>
  (await on.query(updatePasskeyNameStatement(operatorId, id, name))).rowCount === 1

const updatePasskeyNameStatement = (operatorId: string, id: string, name: string): Statement =>
  compile(sql`
    update clew_operators.operator_passkeys set name = ${name}
    where operator_id = ${typed(operatorId, 'uuid')} and id = ${typed(id, 'uuid')}`)

/** Deletes a passkey of an operator; false when they have no such passkey. */
export const deletePasskey = async (on: Sql, operatorId: string, id: string): Promise<boolean> =>
  (await on.query(deletePasskeyStatement(operatorId, id))).rowCount === 1

const deletePasskeyStatement = (operatorId: string, id: string): Statement =>
  compile(sql`
    delete from clew_operators.operator_passkeys
    where operator_id = ${typed(operatorId, 'uuid')} and id = ${typed(id, 'uuid')}`)

/** Stores new recovery codes in place of all earlier ones. */
export const replaceRecoveryCodes = (on: Sql, operatorId: string, hashes: readonly string[]): Promise<void> =>
  on.transaction(async (transaction) => {
    await transaction.query(deleteRecoveryCodesStatement(operatorId))
    await transaction.query(insertRecoveryCodesStatement(operatorId, hashes))
  })

const deleteRecoveryCodesStatement = (operatorId: string): Statement =>
  compile(sql`delete from clew_operators.operator_recovery_codes where operator_id = ${typed(operatorId, 'uuid')}`)

const insertRecoveryCodesStatement = (operatorId: string, hashes: readonly string[]): Statement =>
  compile(sql`
    insert into clew_operators.operator_recovery_codes (code_hash, operator_id)
    select hash, ${typed(operatorId, 'uuid')} from unnest(${typed(hashes, 'text[]')}) as hash`)

/** Consumes a recovery code; true for one of several concurrent callers. */
export const useRecoveryCode = async (on: Sql, operatorId: string, hashes: readonly string[]): Promise<boolean> =>
  (await on.query(deleteRecoveryCodeStatement(operatorId, hashes))).rowCount === 1

const deleteRecoveryCodeStatement = (operatorId: string, hashes: readonly string[]): Statement =>
  compile(sql`
    delete from clew_operators.operator_recovery_codes
    where operator_id = ${typed(operatorId, 'uuid')} and code_hash = any (${typed(hashes, 'text[]')})`)

/** Deletes every factor of the account of an address, and ends its sessions; false when there is no such account. */
export const resetFactors = async (on: Sql, email: string): Promise<boolean> =>
  (await on.query(resetFactorsStatement(email))).rows.length === 1

const resetFactorsStatement = (email: string): Statement =>
  compile(sql`
    with account as (select id from clew_operators.operators where email = ${email}),
      totp as (delete from clew_operators.operator_totp where operator_id in (select id from account)),
      passkeys as (delete from clew_operators.operator_passkeys where operator_id in (select id from account)),
      codes as (delete from clew_operators.operator_recovery_codes where operator_id in (select id from account)),
      sessions as (delete from clew_operators.operator_sessions where operator_id in (select id from account))
    select id from account`)
