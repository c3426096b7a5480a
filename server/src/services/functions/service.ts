import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { Functions } from './functions.ts'
import { functionRoutes } from './management/routes.ts'
import { functionSecretRoutes } from './management/secret-routes.ts'

/** Functions at `/functions/v1`. Each decides by `verify_jwt` whether its callers need a token. */
export function functionsService(
  { plugin, management, uploadLimits, running, close }: Functions,
  actions: OperatorActions,
) {
  const pages =
    management === null
      ? []
      : [functionRoutes(management, actions, uploadLimits), functionSecretRoutes(management.secrets, actions)]
  return {
    mounts: [{ prefix: '/functions/v1', service: 'functions', plugin, needsKey: () => false, forOwnPages: true }],
    console: pages,
    commandLine: pages,
    rootKeyUses: management === null ? [] : [management.secrets.keyUse],
    gauges: [{ name: 'clew_functions_processes', help: 'Processes of functions that run', read: running }],
    close,
  }
}
