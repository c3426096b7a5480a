import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { type MigrationsDeps, migrationRoutes } from './routes.ts'

export { migrationsError } from './errors.ts'
export type { MigrationFacts, MigrationsDeps } from './routes.ts'

/** The project's migrations in the console. */
export const migrationsService = ({ actions, ...deps }: MigrationsDeps & { readonly actions: OperatorActions }) => ({
  console: [migrationRoutes(deps, actions)],
})
