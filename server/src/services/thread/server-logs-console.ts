import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { serverLogLevels } from '../../ground/traces/server-trace.ts'
import { Search } from './schemas/parts.ts'
import { ServerLogsPage } from './schemas/trace.ts'
import type { Thread } from './thread.ts'

const tags = ['thread']

/** What servers logged, for the console: also what belongs to no request or session. */
export function serverLogRoutes(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  thread: Pick<Thread, 'serverLogs' | 'serverLoggers'>,
  actions: OperatorActions,
): void {
  const logs = {
    operationId: 'serverLogs',
    tags,
    summary: 'What your servers logged, newest first',
    querystring: Type.Object({
      service: Type.Optional(Type.String({ maxLength: 256 })),
      level: Type.Optional(
        Type.Union(
          serverLogLevels.map((level) => Type.Literal(level)),
          { description: 'The least severe that is shown' },
        ),
      ),
      q: Search,
      limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
      before: Type.Optional(Type.String({ maxLength: 128 })),
    }),
    response: { 200: ServerLogsPage },
  }
  app.get('/server-logs', { schema: logs }, (request) => {
    // Applications log what they work on.
    actions.check(request, 'read data')
    const { service = null, level = null, q = null, limit, before = null } = request.query
    return thread.serverLogs({ service, level, q, limit, before })
  })

  const services = {
    operationId: 'serverLogServices',
    tags,
    summary: 'The services that logged',
    response: { 200: Type.Object({ services: Type.Array(Type.String()) }) },
  }
  app.get('/server-log-services', { schema: services }, async (request) => {
    actions.check(request, 'read data')
    return { services: [...(await thread.serverLoggers())] }
  })
}
