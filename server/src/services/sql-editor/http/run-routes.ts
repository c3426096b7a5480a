import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import { withoutSecrets } from '../run/plan.ts'
import type { RunAnswer, Runs } from '../run/runs.ts'
import { Decided, Id, RunBody, SqlAnswer } from './schemas.ts'

const tags = ['sql']
const Params = Type.Object({ id: Id })
/** Of a statement in the audit log. */
const auditedCharacters = 4_000

/** Statements of operators. Those who may not change data read only. */
export function runRoutes(runs: Runs, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const start = {
      operationId: 'runSql',
      tags,
      summary: 'Run statements; what they change waits to be committed',
      body: RunBody,
      response: { 200: SqlAnswer },
    }
    app.post('/sql/runs', { schema: start }, async (request) => {
      const { body } = request
      const target = withoutSecrets(body.text).slice(0, auditedCharacters)
      const { id: requestId, signal } = request.getDecorator<RequestContext>('requestContext')
      const readOnly = body.readOnly || !actions.may(request, 'change')
      const asker = { operator: operatorOf(request), requestId, signal }
      const answer = await actions.run(request, { name: 'sql.run', target, right: 'query' }, () =>
        runs.start({ ...body, readOnly }, asker),
      )
      return renderAnswer(answer)
    })

    for (const decision of ['commit', 'rollback'] as const) {
      const decide = {
        operationId: decision === 'commit' ? 'commitSql' : 'rollbackSql',
        tags,
        summary: decision === 'commit' ? 'Keep what a run has changed' : 'Take back what a run has changed',
        params: Params,
        response: { 200: Decided },
      }
      app.post(`/sql/runs/:id/${decision}`, { schema: decide }, (request) => {
        const { id } = request.params
        const action = { name: `sql.${decision}`, target: `SQL run ${id}`, right: 'query' } as const
        return actions.run(request, action, () => runs.decide(id, operatorOf(request), decision))
      })
    }

    const cancel = {
      operationId: 'cancelSql',
      tags,
      summary: 'Cancel what a run is doing',
      params: Params,
      response: { 200: Type.Object({ cancelled: Type.Boolean() }) },
    }
    app.post('/sql/runs/:id/cancel', { schema: cancel }, async (request) => {
      actions.check(request, 'query')
      return { cancelled: await runs.cancel(request.params.id) }
    })
  }
}

const renderAnswer = ({ results, changes, expiresAt, ...answer }: RunAnswer) => ({
  ...answer,
  results: results.map(({ columns, rows, notices, ...result }) => ({
    ...result,
    columns: columns && [...columns],
    rows: rows.map((row) => [...row]),
    notices: [...notices],
  })),
  changes: changes && { ...changes, tables: [...changes.tables] },
  expiresAt: expiresAt?.toISOString() ?? null,
})
