import type { SecretsDeps } from './deps.ts'
import { rootKeyRoutes } from './root-key-routes.ts'
import { createRootKeyWork, type RootKeyWorkDeps } from './root-keys.ts'
import { secretsRoutes } from './routes.ts'

export type { ConfiguredSecret } from './deps.ts'
export { secretsError } from './errors.ts'

/** The instance's own secrets in the console: where each comes from, when it was renewed, and its renewal. */
export function secretsService(deps: SecretsDeps & RootKeyWorkDeps) {
  const work = createRootKeyWork(deps)
  return {
    console: [secretsRoutes(deps), rootKeyRoutes(work, deps.actions, true)],
    commandLine: [rootKeyRoutes(work, deps.actions, false)],
    /** Moves what is kept to the root key that counts. */
    renewRootKeys: work.renew,
    // What a process has left that ended meanwhile.
    start: async () => {
      const begun = work.renew()
      return () => begun
    },
  }
}
