import type { SecretsDeps } from './deps.ts'
import { secretsRoutes } from './routes.ts'

export type { ConfiguredSecret } from './deps.ts'
export { secretsError } from './errors.ts'

/** The instance's own secrets in the console: where each comes from, when it was renewed, and its renewal. */
export const secretsService = (deps: SecretsDeps) => ({ console: [secretsRoutes(deps)] })
