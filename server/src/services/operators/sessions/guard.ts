import type { IncomingMessage } from 'node:http'
import type { onRequestAsyncHookHandler } from 'fastify'
import type { Operator } from '../accounts/store.ts'
import { operatorsError } from '../errors.ts'
import { type AccessTokens, readAccessToken } from '../tokens/access-tokens.ts'
import { clientOf } from './client.ts'
import { refuseForeignOrigin } from './origin.ts'
import type { Sessions } from './sessions.ts'

/**
 * A hook for `onRequest`, before a body is read: sets the request's decorator `operator`, and renews the cookie where due.
 * Requests must come from the console's own pages and carry an operator's session, or an access token where the route
 * says that it takes one. What this process asks of itself for an operator comes from no page.
 *
 * @param operatorInside the operator that this process made a request for; undefined for those from outside
 */
export const createGuard =
  (
    authenticate: Sessions['authenticate'],
    authenticateToken: AccessTokens['authenticate'],
    operatorInside: (incoming: IncomingMessage) => Operator | undefined,
  ): onRequestAsyncHookHandler =>
  async (request, reply) => {
    const inside = operatorInside(request.raw)
    if (inside !== undefined) {
      request.setDecorator('operator', inside)
      return
    }
    refuseForeignOrigin(request)
    const token = readAccessToken(request.headers.authorization)
    if (token !== null) {
      const { acceptsTokens } = request.routeOptions.config
      if (acceptsTokens === undefined || acceptsTokens === false) throw operatorsError('CLEW_OPERATORS_TOKEN_REFUSED')
      const purpose = acceptsTokens === true ? 'command line' : acceptsTokens
      request.setDecorator('operator', await authenticateToken(token, clientOf(request).address, purpose))
      return
    }
    const { session, cookie } = await authenticate(clientOf(request))
    if (cookie !== null) reply.header('set-cookie', cookie)
    request.setDecorator('operator', session.operator)
  }
