import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../ground/model/operator-actions.ts'
import type { Advisor } from './advisor.ts'

const tags = ['advisor']

const Advice = Type.Object(
  {
    name: Type.String(),
    object: Type.String(),
    title: Type.String({ description: 'Why it matters' }),
    kind: Type.Enum(['security', 'performance']),
    level: Type.Enum(['info', 'warn', 'error']),
    remedy: Type.String({ description: 'What to do about it' }),
    fix: Type.Union([Type.String(), Type.Null()], {
      description: 'The SQL after which it is found no more; null where it takes a decision',
    }),
    ignored: Type.Union([
      Type.Object({ reason: Type.String(), by: Type.String(), at: Type.String({ format: 'date-time' }) }),
      Type.Null(),
    ]),
  },
  { $id: 'Advice' },
)

const FindingKey = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  object: Type.String({ minLength: 1, maxLength: 1000 }),
}

/** What operators are told of the database, and what they decide of it. Analysts do not see the schema. */
export function advisorRoutes(advisor: Advisor, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const look = {
      operationId: 'advice',
      tags,
      summary: 'What the database should not have, the worst first, with the SQL that fixes it',
      response: { 200: Type.Object({ advice: Type.Array(Advice) }) },
    }
    app.get('/advisor', { schema: look }, async (request) => {
      actions.check(request, 'read data')
      const found = await advisor.look()
      return {
        advice: found.map(({ ignored, ...advice }) => ({
          ...advice,
          ignored: ignored && { reason: ignored.reason, by: ignored.ignoredBy, at: ignored.ignoredAt.toISOString() },
        })),
      }
    })

    const ignore = {
      operationId: 'ignoreAdvice',
      tags,
      summary: 'Leave a finding as it is, for a reason',
      body: Type.Object({
        ...FindingKey,
        reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Kept, and shown with it' }),
      }),
      response: { 204: Type.Null() },
    }
    app.put('/advisor/ignored', { schema: ignore }, async (request, reply) => {
      const { name, object, reason } = request.body
      const action = { name: 'advice.ignore', target: `${name}: ${object} (${reason.trim()})` }
      await actions.run(request, action, () => advisor.ignore({ name, object }, reason.trim(), operatorOf(request)))
      return reply.code(204).send(null)
    })

    const unignore = {
      operationId: 'unignoreAdvice',
      tags,
      summary: 'Be told of a finding again',
      querystring: Type.Object(FindingKey),
      response: { 204: Type.Null() },
    }
    app.delete('/advisor/ignored', { schema: unignore }, async (request, reply) => {
      const { name, object } = request.query
      await actions.run(request, { name: 'advice.heed', target: `${name}: ${object}` }, () =>
        advisor.unignore({ name, object }),
      )
      return reply.code(204).send(null)
    })
  }
}
