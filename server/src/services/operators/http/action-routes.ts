import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Actions } from '../audit/actions.ts'
import { Instant } from './access-schemas.ts'
import { Nullable } from './schemas.ts'

const Kind = Type.Enum(['change', 'look'], { description: 'Whether something was done, or looked at' })

const ActionSchema = Type.Object(
  {
    id: Type.String(),
    at: Instant,
    operator: Type.String({ description: 'E-mail address' }),
    address: Type.String(),
    action: Type.String(),
    target: Type.String(),
    outcome: Type.Union([Type.Literal('begun'), Type.Literal('succeeded'), Type.Literal('failed')]),
    problem: Nullable(Type.String()),
    kind: Kind,
  },
  { $id: 'OperatorAction' },
)

/** The routes of the audit log. A guarded part of the console's API. */
export function actionRoutes(actions: Pick<Actions, 'list' | 'names'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/actions',
      {
        schema: {
          operationId: 'actions',
          tags: ['access'],
          summary: 'What operators did and looked at, newest first',
          querystring: Type.Object({
            limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
            before: Type.Optional(Type.String({ format: 'uuid' })),
            operator: Type.Optional(Type.String({ description: 'E-mail address' })),
            action: Type.Optional(Type.String()),
            kind: Type.Optional(Kind),
            about: Type.Optional(
              Type.String({
                pattern: '^[0-9a-f-]{36}(,[0-9a-f-]{36})?$',
                description: 'The id of a person or a user, or both with a comma between: what was about them',
              }),
            ),
          }),
          response: { 200: Type.Object({ actions: Type.Array(ActionSchema), next: Nullable(Type.String()) }) },
        },
      },
      async (request) => {
        const { limit, before = null, operator = null, action = null, kind = null, about } = request.query
        const query = { before, limit, operator, action, kind, about: about?.split(',') ?? [] }
        const { actions: entries, next } = await actions.list(request, query)
        return { actions: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })), next }
      },
    )
    app.get(
      '/actions/names',
      {
        schema: {
          operationId: 'actionNames',
          tags: ['access'],
          summary: 'The operators and the actions that the log knows',
          response: { 200: Type.Object({ operators: Type.Array(Type.String()), actions: Type.Array(Type.String()) }) },
        },
      },
      async (request) => {
        const { operators, actions: names } = await actions.names(request)
        return { operators: [...operators], actions: [...names] }
      },
    )
  }
}
