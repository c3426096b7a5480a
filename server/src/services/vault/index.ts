import type { Sql } from '../../engines/postgres/index.ts'
import type { RootKeys } from '../../ground/ids/root-keys.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { vaultKeyUse } from './key-use.ts'
import { vaultRoutes } from './routes.ts'
import { createVault, type VaultDeps } from './vault.ts'

export { vaultError } from './errors.ts'

/** The vault's secrets in the console. */
export const vaultService = ({
  actions,
  admin,
  roots,
  ...deps
}: VaultDeps & {
  readonly actions: OperatorActions
  readonly admin: Pick<Sql, 'query'>
  readonly roots: RootKeys
}) => ({
  console: [vaultRoutes(createVault(deps), actions)],
  rootKeyUses: [vaultKeyUse(admin, roots)],
})
