import type { FastifyRequest } from 'fastify'
import type { Access } from '../access.ts'
import type { CurrentSession } from '../sessions/store.ts'

/** The dependencies of the routes for an operator's own access. */
export interface AccessRoutesDeps {
  readonly access: Access
  /** The session of a request. @throws CLEW_OPERATORS_SIGNED_OUT */
  readonly currentSession: (request: FastifyRequest) => Promise<CurrentSession>
}
