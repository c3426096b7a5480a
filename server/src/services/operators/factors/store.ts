import type { Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { NewPasskey, Passkey } from './passkeys.ts'

/** The authenticator app of an operator. */
export interface StoredTotp {
  readonly sealedSecret: string
  /** Null until its first code was right: it is no factor yet. */
  readonly confirmedAt: Date | null
  /** A time step, as a number. */
  readonly lastStep: number | null
}

/** Everything beside the password. */
export interface Factors {
  readonly totp: StoredTotp | null
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodes: number
}

/** Whether the password alone is not enough. */
export const hasFactor = ({ totp, passkeys }: Factors): boolean =>
  (totp !== null && totp.confirmedAt !== null) || passkeys.length > 0

/** The factors of an operator. */
export async function findFactors(on: Sql, operatorId: string): Promise<Factors> {
  const id = typed(operatorId, 'uuid')
  const totp = await on.query<StoredTotp>(
    compile(sql`
      select sealed_secret as "sealedSecret", confirmed_at as "confirmedAt", last_step::float8 as "lastStep"
      from clew_operators.operator_totp
      where operator_id = ${id}`),
  )
  const passkeys = await on.query<Passkey>(
    compile(sql`
      select id, name, credential_id as "credentialId", public_key as "publicKey", sign_count::float8 as "signCount",
        transports, created_at as "createdAt", last_used_at as "lastUsedAt"
      from clew_operators.operator_passkeys
      where operator_id = ${id}
      order by created_at, id`),
  )
  const codes = await on.query<{ count: number }>(
    compile(sql`select count(*)::int as count from clew_operators.operator_recovery_codes where operator_id = ${id}`),
  )
  return { totp: totp.rows[0] ?? null, passkeys: passkeys.rows, recoveryCodes: codes.rows[0]?.count ?? 0 }
}

/** Keeps the secret of an app that is still to show its first code, in place of an earlier such one. */
export async function putPendingTotp(on: Sql, operatorId: string, sealedSecret: string, now: Date): Promise<void> {
  await on.query(
    compile(sql`
      insert into clew_operators.operator_totp (operator_id, sealed_secret, created_at)
      values (${typed(operatorId, 'uuid')}, ${sealedSecret}, ${now})
      on conflict (operator_id) do update
      set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, last_step = null
      where operator_totp.confirmed_at is null`),
  )
}

/** Uses a code of an app up, and confirms the app by its first; false when a call a moment ago used it. */
export async function useTotpStep(on: Sql, operatorId: string, step: number, now: Date): Promise<boolean> {
  const { rowCount } = await on.query(
    compile(sql`
      update clew_operators.operator_totp
      set last_step = ${typed(step, 'bigint')}, confirmed_at = coalesce(confirmed_at, ${now})
      where operator_id = ${typed(operatorId, 'uuid')}
        and (last_step is null or last_step < ${typed(step, 'bigint')})`),
  )
  return rowCount === 1
}

/** Takes the authenticator app of an operator away. */
export async function deleteTotp(on: Sql, operatorId: string): Promise<void> {
  await on.query(
    compile(sql`delete from clew_operators.operator_totp where operator_id = ${typed(operatorId, 'uuid')}`),
  )
}

/** Adds a passkey; false when its credential is known already. */
export async function insertPasskey(
  on: Sql,
  operatorId: string,
  passkey: NewPasskey & { readonly id: string; readonly name: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await on.query(
    compile(sql`
      insert into clew_operators.operator_passkeys (
        id, operator_id, name, credential_id, public_key, sign_count, transports, created_at
      )
      values (
        ${typed(passkey.id, 'uuid')}, ${typed(operatorId, 'uuid')}, ${passkey.name}, ${passkey.credentialId},
        ${typed(passkey.publicKey, 'bytea')}, ${typed(passkey.signCount, 'bigint')},
        ${typed(passkey.transports, 'text[]')}, ${now}
      )
      on conflict (credential_id) do nothing`),
  )
  return rowCount === 1
}

/** Notes that a passkey was used. */
export async function usePasskey(on: Sql, id: string, signCount: number, now: Date): Promise<void> {
  await on.query(
    compile(sql`
      update clew_operators.operator_passkeys set sign_count = ${typed(signCount, 'bigint')}, last_used_at = ${now}
      where id = ${typed(id, 'uuid')}`),
  )
}

/** Calls a passkey of an operator something else; false when they have no such one. */
export async function renamePasskey(on: Sql, operatorId: string, id: string, name: string): Promise<boolean> {
  const { rowCount } = await on.query(
    compile(sql`
      update clew_operators.operator_passkeys set name = ${name}
      where operator_id = ${typed(operatorId, 'uuid')} and id = ${typed(id, 'uuid')}`),
  )
  return rowCount === 1
}

/** Takes a passkey of an operator away; false when they have no such one. */
export async function deletePasskey(on: Sql, operatorId: string, id: string): Promise<boolean> {
  const { rowCount } = await on.query(
    compile(sql`
      delete from clew_operators.operator_passkeys
      where operator_id = ${typed(operatorId, 'uuid')} and id = ${typed(id, 'uuid')}`),
  )
  return rowCount === 1
}

/** Puts new recovery codes in place of all earlier ones. */
export async function replaceRecoveryCodes(on: Sql, operatorId: string, hashes: readonly string[]): Promise<void> {
  const id = typed(operatorId, 'uuid')
  await on.transaction(async (transaction) => {
    await transaction.query(compile(sql`delete from clew_operators.operator_recovery_codes where operator_id = ${id}`))
    await transaction.query(
      compile(sql`
        insert into clew_operators.operator_recovery_codes (code_hash, operator_id)
        select hash, ${id} from unnest(${typed(hashes, 'text[]')}) as hash`),
    )
  })
}

/** Uses a recovery code up; of several callers one gets true. */
export async function useRecoveryCode(on: Sql, operatorId: string, hash: string): Promise<boolean> {
  const { rowCount } = await on.query(
    compile(sql`
      delete from clew_operators.operator_recovery_codes
      where operator_id = ${typed(operatorId, 'uuid')} and code_hash = ${hash}`),
  )
  return rowCount === 1
}

/** Takes every factor of the account of an address away, and ends its sessions; false when there is no such account. */
export async function resetFactors(on: Sql, email: string): Promise<boolean> {
  const { rows } = await on.query(
    compile(sql`
      with account as (select id from clew_operators.operators where email = ${email}),
        totp as (delete from clew_operators.operator_totp where operator_id in (select id from account)),
        passkeys as (delete from clew_operators.operator_passkeys where operator_id in (select id from account)),
        codes as (delete from clew_operators.operator_recovery_codes where operator_id in (select id from account)),
        sessions as (delete from clew_operators.operator_sessions where operator_id in (select id from account))
      select id from account`),
  )
  return rows.length === 1
}
