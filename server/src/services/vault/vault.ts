import { isDatabaseError, type Sql, violates } from '../../engines/postgres/index.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import { vaultError } from './errors.ts'
import type { Secret, SecretsPage } from './schemas.ts'
import {
  createSecretStatement,
  deleteSecretStatement,
  findVaultStatement,
  type NewSecret,
  revealSecretStatement,
  type SecretRow,
  selectSecretStatement,
  selectSecretsStatement,
  updateSecretStatement,
} from './store.ts'

export interface VaultDeps {
  /** Reads as the owner. */
  readonly reader: Pick<Sql, 'query'>
  /** Decrypts and changes secrets as the owner. */
  readonly owner: Pick<Sql, 'query'>
}

/** The secrets of the vault, as the console asks for them. Those that take an id throw CLEW_VAULT_NOT_FOUND. */
export interface Vault {
  list(page: { readonly after: string | null; readonly limit: number }): Promise<SecretsPage>
  /** The name of a secret, its id where it has none. */
  nameOf(id: string): Promise<string>
  reveal(id: string): Promise<string>
  /** @returns its id. @throws CLEW_VAULT_NAME_TAKEN */
  create(secret: NewSecret): Promise<string>
  /** Changes what is given. @throws CLEW_VAULT_NAME_TAKEN */
  update(id: string, change: Partial<NewSecret>): Promise<void>
  delete(id: string): Promise<void>
}

export function createVault({ reader, owner }: VaultDeps): Vault {
  const isInstalled = async (): Promise<boolean> =>
    (await reader.query<{ installed: boolean }>(findVaultStatement())).rows[0]?.installed === true
  const asOwner = async <Row>(statement: Statement) => {
    try {
      return await owner.query<Row>(statement)
    } catch (cause) {
      if (violates(cause, 'secrets_name_idx')) throw vaultError('CLEW_VAULT_NAME_TAKEN', { cause })
      throw isDatabaseError(cause) ? vaultError('CLEW_VAULT_REFUSED', { message: cause.message, cause }) : cause
    }
  }
  const nameOf = async (id: string): Promise<string> => {
    const { rows } = (await isInstalled())
      ? await reader.query<{ name: string | null }>(selectSecretStatement(id))
      : { rows: [] }
    const [row] = rows
    if (row === undefined) throw vaultError('CLEW_VAULT_NOT_FOUND')
    return row.name ?? id
  }
  return {
    nameOf,
    async list({ after, limit }) {
      if (!(await isInstalled())) return { installed: false, secrets: [], next: null }
      const { rows } = await reader.query<SecretRow>(selectSecretsStatement(after, limit + 1))
      const secrets = rows.slice(0, limit).map(renderSecret)
      return { installed: true, secrets, next: rows.length > limit ? (secrets.at(-1)?.id ?? null) : null }
    },
    async reveal(id) {
      const [row] = (await asOwner<{ secret: string | null }>(revealSecretStatement(id))).rows
      if (row === undefined) throw vaultError('CLEW_VAULT_NOT_FOUND')
      return row.secret ?? ''
    },
    async create(secret) {
      if (!(await isInstalled())) throw vaultError('CLEW_VAULT_NOT_FOUND')
      return (await asOwner<{ id: string }>(createSecretStatement(secret))).rows[0]?.id ?? ''
    },
    async update(id, { secret = null, name = null, description = null }) {
      await nameOf(id)
      await asOwner(updateSecretStatement(id, { secret, name, description }))
      // The update says nothing of a secret that was removed meanwhile.
      await nameOf(id)
    },
    async delete(id) {
      if ((await asOwner(deleteSecretStatement(id))).rowCount === 0) throw vaultError('CLEW_VAULT_NOT_FOUND')
    },
  }
}

const renderSecret = ({ createdAt, updatedAt, ...secret }: SecretRow): Secret => ({
  ...secret,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
