import type { onRequestAsyncHookHandler } from 'fastify'
import { operatorsError } from '../errors.ts'
import { type AccessTokens, readAccessToken } from '../tokens/access-tokens.ts'
import { clientOf } from './client.ts'
import { refuseForeignOrigin } from './origin.ts'
import type { Sessions } from './sessions.ts'

/**
 * A hook for `onRequest`, before a body is read: sets the request's decorator `operator`, and renews the cookie where due.
 * Requests must come from the console's own pages and carry an operator's session, or an access token where the route
 * says that it takes one.
 */
export const createGuard =
  (
    authenticate: Sessions['authenticate'],
    authenticateToken: AccessTokens['authenticate'],
  ): onRequestAsyncHookHandler =>
  async (request, reply) => {
    refuseForeignOrigin(request)
    const token = readAccessToken(request.headers.authorization)
    if (token !== null) {
      if (request.routeOptions.config.acceptsTokens !== true) throw operatorsError('CLEW_OPERATORS_TOKEN_REFUSED')
      request.setDecorator('operator', await authenticateToken(token, clientOf(request).address))
      return
    }
    const { session, cookie } = await authenticate(clientOf(request))
    if (cookie !== null) reply.header('set-cookie', cookie)
    request.setDecorator('operator', session.operator)
  }
