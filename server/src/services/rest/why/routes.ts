import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { AskedAs } from './caller.ts'
import { renderExplanation } from './render.ts'
import {
  StatementPlanAnswer,
  TryOnQuestion,
  TryOnRequest,
  WhyAnswer,
  WhyOfQuestion,
  WhyOfRequest,
  WhyTried,
} from './schemas.ts'
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
      const { question, as } = questionOf(request.body)
      return actions.run(
        request,
        { name: 'why.ask', target: `${question.method} ${question.path}`, right: 'read data' },
        async () => renderExplanation(await why.ofQuestion(question, as)),
      )
    })

    const tryOnRequest = {
      ...{ operationId: 'tryOnRequest', tags, response: { 200: WhyTried } },
      summary: 'Answer a request that was made as if some SQL had been run; all of it is rolled back',
      params: Type.Object({ id: Type.String({ maxLength: 200 }) }),
      body: TryOnRequest,
    }
    app.post('/requests/:id/why/try', { schema: tryOnRequest }, async (request) => {
      const { id } = request.params
      const { sql, body = null } = request.body
      return actions.run(request, tryAction(`request ${id}`, sql), () => why.tryOnRequest(id, body, sql))
    })

    const tryOnQuestion = {
      ...{ operationId: 'tryOnQuestion', tags, response: { 200: WhyTried } },
      summary: 'Answer a request as if some SQL had been run; all of it is rolled back',
      body: TryOnQuestion,
    }
    app.post('/why/try', { schema: tryOnQuestion }, async (request) => {
      const { question, as } = questionOf(request.body)
      const { sql } = request.body
      const action = tryAction(`${question.method} ${question.path}`, sql)
      return actions.run(request, action, () => why.tryOnQuestion(question, as, sql))
    })
  }
}

/** The question that a body asks, and in whose place. */
function questionOf(asked: Static<typeof WhyOfQuestion>) {
  const { method, path, query, profile = null, body = null, as } = asked
  const question = { method, path: `/${path.replace(/^\/+/, '')}`, query, profile, body }
  const caller: AskedAs = as.kind === 'user' ? { kind: as.kind, user: as.user ?? '' } : { kind: as.kind }
  return { question, as: caller }
}

const longestTarget = 300

/** It runs SQL as the application's owner, if only to see what would be: for those who may change things. */
const tryAction = (target: string, sql: string) =>
  ({ name: 'why.try', target: `${target}: ${sql.slice(0, longestTarget)}`, right: 'change' }) as const

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
