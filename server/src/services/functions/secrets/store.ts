import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** A secret as it is stored. */
export interface StoredSecret {
  readonly name: string
  readonly sealedValue: string
  readonly digest: string
  readonly updatedAt: Date
}

/** The secrets by name. */
export const findSecrets = async (on: Sql): Promise<readonly StoredSecret[]> =>
  (await on.query<StoredSecret>(selectSecretsStatement())).rows

const selectSecretsStatement = (): Statement =>
  compile(sql`
    select name, sealed_value as "sealedValue", digest, updated_at as "updatedAt"
    from clew_functions.secrets
    order by name`)

/** Stores secrets, each in the place of one of its name. */
export const upsertSecrets = (on: Sql, secrets: readonly StoredSecret[]): Promise<unknown> =>
  on.query(upsertSecretsStatement(secrets))

function upsertSecretsStatement(secrets: readonly StoredSecret[]): Statement {
  const texts = (of: (secret: StoredSecret) => string) => typed(secrets.map(of), 'text[]')
  const instants = typed(
    secrets.map(({ updatedAt }) => updatedAt),
    'timestamptz[]',
  )
  return compile(sql`
    insert into clew_functions.secrets (name, sealed_value, digest, updated_at)
    select s.name, s.sealed_value, s.digest, s.updated_at
    from unnest(
      ${texts(({ name }) => name)}, ${texts(({ sealedValue }) => sealedValue)}, ${texts(({ digest }) => digest)},
      ${instants}
    ) as s (name, sealed_value, digest, updated_at)
    on conflict (name) do update
    set sealed_value = excluded.sealed_value, digest = excluded.digest, updated_at = excluded.updated_at`)
}

/** Deletes secrets by their names. */
export const deleteSecrets = (on: Sql, names: readonly string[]): Promise<unknown> =>
  on.query(deleteSecretsStatement(names))

const deleteSecretsStatement = (names: readonly string[]): Statement =>
  compile(sql`delete from clew_functions.secrets where name = any (${typed(names, 'text[]')})`)

/** Replaces how a secret is sealed, unless another was set meanwhile. */
export const replaceSealed = (
  on: Sql,
  before: string,
  secret: Pick<StoredSecret, 'name' | 'sealedValue' | 'digest'>,
): Promise<unknown> => on.query(replaceSealedStatement(before, secret))

const replaceSealedStatement = (
  before: string,
  { name, sealedValue, digest }: Pick<StoredSecret, 'name' | 'sealedValue' | 'digest'>,
): Statement =>
  compile(sql`
    update clew_functions.secrets set sealed_value = ${sealedValue}, digest = ${digest}
    where name = ${name} and sealed_value = ${before}`)

/** How many secrets are sealed under each root key. */
export const countRootKeys = async (on: Sql) =>
  (await on.query<{ rootId: string; count: number }>(countRootKeysStatement())).rows

const countRootKeysStatement = (): Statement =>
  compile(sql`
    select split_part(sealed_value, '.', 1) as "rootId", count(*)::int as count
    from clew_functions.secrets
    group by 1`)

/** Deletes the secrets that are sealed under a root key. */
export const deleteSecretsOf = async (on: Sql, rootId: string): Promise<void> => {
  await on.query(deleteSecretsOfStatement(rootId))
}

const deleteSecretsOfStatement = (rootId: string): Statement =>
  compile(sql`delete from clew_functions.secrets where split_part(sealed_value, '.', 1) = ${rootId}`)
