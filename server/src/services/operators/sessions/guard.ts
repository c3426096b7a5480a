import type { onRequestAsyncHookHandler } from 'fastify'
import { clientOf } from './client.ts'
import { refuseForeignOrigin } from './origin.ts'
import type { Sessions } from './sessions.ts'

/**
 * A hook for `onRequest`, before a body is read: sets the request's decorator `operator`, and renews the cookie where due.
 * Requests must come from the console's own pages and carry an operator's session.
 */
export const createGuard =
  (authenticate: Sessions['authenticate']): onRequestAsyncHookHandler =>
  async (request, reply) => {
    refuseForeignOrigin(request)
    const { session, cookie } = await authenticate(clientOf(request))
    if (cookie !== null) reply.header('set-cookie', cookie)
    request.setDecorator('operator', session.operator)
  }
