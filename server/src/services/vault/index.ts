import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { vaultRoutes } from './routes.ts'
import { createVault, type VaultDeps } from './vault.ts'

export { vaultError } from './errors.ts'

/** The vault's secrets in the console. */
export const vaultService = ({ actions, ...deps }: VaultDeps & { readonly actions: OperatorActions }) => ({
  console: [vaultRoutes(createVault(deps), actions)],
})
