import type { Log } from '../../ground/model/log.ts'
import { accessPlugin } from './http/access-plugin.ts'
import { actionRoutes } from './http/action-routes.ts'
import { teamRoutes } from './http/team-routes.ts'
import { viewRoutes } from './http/view-routes.ts'
import type { Operators } from './operators.ts'

const forgetEveryMs = 6 * 3_600_000

/** The console's pages on the operator's own sessions and factors, the team and its views, and the audit log, which forgets what is old. */
export const operatorsService = (operators: Operators, log: Log) => ({
  console: [accessPlugin(operators), actionRoutes(operators.actions), teamRoutes(operators), viewRoutes(operators)],
  rootKeyUses: operators.keyUses,
  async start() {
    const forget = (): void =>
      void operators.actions
        .forgetOld()
        .catch((error: unknown) => log.warn({ err: error }, 'operators: old entries of the audit log are still there'))
    forget()
    const timer = setInterval(forget, forgetEveryMs).unref()
    return async () => clearInterval(timer)
  },
})
