import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { FunctionCallsAnswer, FunctionLogsPage } from './schemas/functions.ts'
import type { Thread } from './thread.ts'

const tags = ['functions']
const Name = Type.String({ minLength: 1, maxLength: 64 })

/** What functions were called and logged, for the console. */
export function functionRoutes(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  thread: Pick<Thread, 'functionCalls' | 'functionLogs'>,
  actions: OperatorActions,
): void {
  const calls = {
    operationId: 'functionCalls',
    tags,
    summary: 'Calls of functions over a time, with errors and durations',
    querystring: Type.Object({
      hours: Type.Integer({ minimum: 1, maximum: 168, default: 24 }),
      parts: Type.Integer({ minimum: 1, maximum: 200, default: 48 }),
      name: Type.Optional(Name),
    }),
    response: { 200: FunctionCallsAnswer },
  }
  app.get('/function-calls', { schema: calls }, (request) => {
    actions.check(request, 'look')
    const { hours, parts, name = null } = request.query
    return thread.functionCalls({ hours, parts, name })
  })

  const logs = {
    operationId: 'functionLogs',
    tags,
    summary: 'What a function logged, newest first',
    querystring: Type.Object({
      name: Name,
      level: Type.Optional(
        Type.Union([Type.Literal('debug'), Type.Literal('info'), Type.Literal('warning'), Type.Literal('error')]),
      ),
      q: Type.Optional(Type.String({ maxLength: 200, pattern: '^\\P{Cc}*$' })),
      since: Type.Optional(Type.String({ format: 'date-time' })),
      limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
      before: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    response: { 200: FunctionLogsPage },
  }
  app.get('/function-logs', { schema: logs, config: { acceptsTokens: true } }, (request) => {
    // Applications log what they work on.
    actions.check(request, 'read data')
    const { name, level = null, q = null, since, limit, before = null } = request.query
    return thread.functionLogs({ name, level, q, since: since === undefined ? null : new Date(since), limit, before })
  })
}
