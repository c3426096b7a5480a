import { findPolicyOrigin } from '../ground/http/origins.ts'

/** The origins that addresses, or globs of them, begin with, each once; those of an application's own scheme have none. */
export const originsOf = (addresses: readonly string[]): readonly string[] => [
  ...new Set(addresses.flatMap((address) => findPolicyOrigin(address) ?? [])),
]

/** Pages of this machine, as a content policy names them: in local mode the application is often on a port of its own. */
export const localOrigins = ['http://localhost:*', 'http://127.0.0.1:*'] as const
