import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { whyError } from '../errors.ts'
import { renderExplanation } from './render.ts'
import { WhyAnswer, WhyOfQuestion, WhyOfRequest } from './schemas.ts'
import type { Why } from './why.ts'

/**
 * Explains answers in the console. It tells of rows that their caller may not see, so it is for those who read the
 * application's data, and each question is in the audit log.
 */
export function whyRoutes(why: Why, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const ask = {
      operationId: 'why',
      tags: ['why'],
      summary: 'Explain which rows a request reads or writes, and what hides or refuses them',
      body: Type.Union([WhyOfRequest, WhyOfQuestion]),
      response: { 200: WhyAnswer },
    }
    app.post('/why', { schema: ask }, async (request) => {
      const { body } = request
      const target = 'requestId' in body ? `request ${body.requestId}` : `${body.method} ${body.path}`
      return actions.run(request, { name: 'why.ask', target, right: 'read data' }, async () => {
        if ('requestId' in body) return renderExplanation(await why.ofRequest(body.requestId, body.body ?? null))
        const { method, path, query, profile = null, as } = body
        if (as.kind === 'user' && as.user === undefined) throw whyError('CLEW_WHY_USER_NOT_FOUND')
        const asked = as.kind === 'user' ? { kind: as.kind, user: as.user ?? '' } : { kind: as.kind }
        const question = { method, path: `/${path.replace(/^\/+/, '')}`, query, profile, body: body.body ?? null }
        return renderExplanation(await why.ofQuestion(question, asked))
      })
    })
  }
}
