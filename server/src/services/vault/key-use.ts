import type { Sql } from '../../engines/postgres/index.ts'
import type { RootKeyUse } from '../../ground/ids/root-key-use.ts'
import type { RootKeys } from '../../ground/ids/root-keys.ts'
import { countKeysStatement, findReencryptionStatement, reencryptStatement } from './store.ts'

/** Secrets that are encrypted anew by one statement, whose rows others wait for. */
const secretsAtOnce = 200

/**
 * The secrets of the vault. Its keys are those of the root keys, in their order; a database whose vault is another program's
 * has none of them.
 *
 * @param admin a superuser, who alone may call the extension's inner functions
 */
export function vaultKeyUse(admin: Pick<Sql, 'query'>, roots: RootKeys): RootKeyUse {
  const isOurs = async (): Promise<boolean> =>
    (await admin.query<{ isOurs: boolean }>(findReencryptionStatement())).rows[0]?.isOurs === true
  return {
    name: 'secrets of the vault',
    async renew() {
      if (!(await isOurs())) return
      for (let done = 1; done > 0; ) {
        const { rows } = await admin.query<{ done: number }>(reencryptStatement(secretsAtOnce))
        done = rows[0]?.done ?? 0
      }
    },
    async count() {
      if (!(await isOurs())) return new Map()
      const keys = roots()
      const { rows } = await admin.query<{ number: number | null; count: number }>(countKeysStatement())
      return new Map(rows.map(({ number, count }) => [keys[(number ?? 0) - 1]?.id ?? '', count]))
    },
    end: async () => undefined,
  }
}
