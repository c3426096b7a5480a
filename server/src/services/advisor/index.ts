import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { type AdvisorDeps, createAdvisor } from './advisor.ts'
import { advisorRoutes } from './routes.ts'

/** Schema `clew_advisor`. */
export const advisorTables = {
  name: 'advisor',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** Advice on the application's database, in the console. */
export const advisorService = ({ actions, ...deps }: AdvisorDeps & { readonly actions: OperatorActions }) => ({
  console: [advisorRoutes(createAdvisor(deps), actions)],
})
