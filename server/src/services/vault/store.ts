import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** A secret without its value. */
export interface SecretRow {
  readonly id: string
  readonly name: string | null
  readonly description: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A secret to be stored. */
export interface NewSecret {
  readonly name: string
  readonly description: string
  readonly secret: string
}

export const findVaultStatement = (): Statement =>
  compile(sql`select to_regclass('vault.secrets') is not null as installed`)

/** Secrets by name, from after one on. */
export const selectSecretsStatement = (after: string | null, limit: number): Statement =>
  compile(sql`
    select s.id, s.name, s.description, s.created_at as "createdAt", s.updated_at as "updatedAt"
    from vault.secrets s
    where ${typed(after, 'uuid')} is null
      or (coalesce(s.name, ''), s.id) > (
        select coalesce(a.name, ''), a.id from vault.secrets a where a.id = ${typed(after, 'uuid')}
      )
    order by coalesce(s.name, ''), s.id
    limit ${limit}`)

export const selectSecretStatement = (id: string): Statement =>
  compile(sql`select s.name from vault.secrets s where s.id = ${typed(id, 'uuid')}`)

export const revealSecretStatement = (id: string): Statement =>
  compile(sql`select s.decrypted_secret as secret from vault.decrypted_secrets s where s.id = ${typed(id, 'uuid')}`)

export const createSecretStatement = ({ secret, name, description }: NewSecret): Statement =>
  compile(sql`
    select vault.create_secret(
      ${typed(secret, 'text')}, ${typed(name, 'text')}, ${typed(description, 'text')}
    ) as id`)

/** Null leaves a value as it is. */
export const updateSecretStatement = (
  id: string,
  { secret, name, description }: { readonly [Key in keyof NewSecret]: string | null },
): Statement =>
  compile(sql`
    select vault.update_secret(
      ${typed(id, 'uuid')}, ${typed(secret, 'text')}, ${typed(name, 'text')}, ${typed(description, 'text')}
    )`)

export const deleteSecretStatement = (id: string): Statement =>
  compile(sql`delete from vault.secrets where id = ${typed(id, 'uuid')}`)

/** Whether the vault is our own extension's, which takes several keys. */
export const findReencryptionStatement = (): Statement =>
  compile(sql`select to_regprocedure('vault._reencrypt(integer)') is not null as "isOurs"`)

/** Encrypts secrets of an earlier key with that of now. */
export const reencryptStatement = (most: number): Statement =>
  compile(sql`select vault._reencrypt(${typed(most, 'integer')})::int as done`)

/** How many secrets each key has, by its number; null for those of none. */
export const countKeysStatement = (): Statement =>
  compile(sql`
    select vault._key_number(s.secret, s.id, s.nonce)::int as number, count(*)::int as count
    from vault.secrets s
    group by 1`)
