import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { renderExplanation } from './render.ts'
import { StatementPlanAnswer, WhyAnswer, WhyOfQuestion, WhyOfRequest } from './schemas.ts'
import type { StatementPlan } from './statement-plan.ts'
import type { Why } from './why.ts'

/**
 * Explains answers in the console. It tells of rows that their caller may not see, so it is for those who read the
 * application's data, and each question is in the audit log.
 */
export function whyRoutes(why: Why, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const tags = ['why']
    const response = { 200: WhyAnswer }
    const ofRequest = {
      ...{ operationId: 'whyOfRequest', tags, response },
      summary:
        'Explain the answer of a request that was made: which rows it reads or writes, what hides or refuses them',
      params: Type.Object({ id: Type.String({ maxLength: 200 }) }),
      body: WhyOfRequest,
    }
    app.post('/requests/:id/why', { schema: ofRequest }, async (request) => {
      const { id } = request.params
      return actions.run(request, { name: 'why.ask', target: `request ${id}`, right: 'read data' }, async () =>
        renderExplanation(await why.ofRequest(id, request.body.body ?? null)),
      )
    })

    const ofQuestion = {
      ...{ operationId: 'why', tags, response },
      summary: 'Explain what a request would be answered',
      body: WhyOfQuestion,
    }
    app.post('/why', { schema: ofQuestion }, async (request) => {
      const { method, path, query, profile = null, body = null, as } = request.body
      const question = { method, path: `/${path.replace(/^\/+/, '')}`, query, profile, body }
      const asked = as.kind === 'user' ? { kind: as.kind, user: as.user ?? '' } : { kind: as.kind }
      return actions.run(
        request,
        { name: 'why.ask', target: `${method} ${question.path}`, right: 'read data' },
        async () => renderExplanation(await why.ofQuestion(question, asked)),
      )
    })
  }
}

/** Plans the statements of requests: for those who read the application's data, and in the audit log. */
export function statementPlanRoute(
  plan: (requestId: string, place: number) => Promise<StatementPlan>,
  actions: OperatorActions,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    const schema = {
      ...{ operationId: 'statementPlan', tags: ['why'], response: { 200: StatementPlanAnswer } },
      summary: 'Plan a statement of a request as its caller, for any values: nothing is run',
      params: Type.Object({
        id: Type.String({ maxLength: 200 }),
        place: Type.Integer({ minimum: 0, maximum: 65_535, description: 'Of the statement in its request' }),
      }),
    }
    app.post('/requests/:id/statements/:place/plan', { schema }, async (request) => {
      const { id, place } = request.params
      const action = { name: 'why.plan', target: `request ${id}`, right: 'read data' } as const
      return actions.run(request, action, () => plan(id, place))
    })
  }
}
