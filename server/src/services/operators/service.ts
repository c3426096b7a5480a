import { accessPlugin } from './http/access-plugin.ts'
import { actionRoutes } from './http/action-routes.ts'
import { teamRoutes } from './http/team-routes.ts'
import { viewRoutes } from './http/view-routes.ts'
import type { Operators } from './operators.ts'

/** The console's pages on the operator's own sessions and factors, the team and its views, and the audit log. */
export const operatorsService = (operators: Operators) => ({
  console: [accessPlugin(operators), actionRoutes(operators.actions), teamRoutes(operators), viewRoutes(operators)],
})
