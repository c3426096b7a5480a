import type { Sql } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'

/**
 * Stores secrets in the vault by their names (`[db.vault]`, project-folder §4): new ones are created, changed ones updated,
 * empty ones left out.
 *
 * @throws CLEW_START_PROJECT where the database has no vault
 */
export async function storeSecrets(owner: Sql, secrets: Readonly<Record<string, string>>): Promise<void> {
  const given = Object.entries(secrets).filter(([, value]) => value !== '')
  if (given.length === 0) return
  try {
    await owner.query(compile(storeSecretsStatement(given)))
  } catch (cause) {
    throw instanceError('CLEW_START_PROJECT', {
      message: `[db.vault]: the secrets are not stored: ${messageOf(cause)}`,
      cause,
    })
  }
}

const storeSecretsStatement = (secrets: readonly (readonly [name: string, value: string])[]): SqlFragment => sql`
  select case
      when stored.id is null then vault.create_secret(given.value, given.name)::text
      else vault.update_secret(stored.id, given.value)::text
    end
  from unnest(
    ${typed(
      secrets.map(([name]) => name),
      'text[]',
    )},
    ${typed(
      secrets.map(([, value]) => value),
      'text[]',
    )}
  ) as given (name, value)
  left join vault.decrypted_secrets stored on stored.name = given.name
  where stored.decrypted_secret is distinct from given.value`
