import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../../ground/model/operator-actions.ts'
import type { RequestContext } from '../../../../ground/model/request.ts'
import { type RowChange, RowChanges as RowChangesShape, SaveOutcome } from '../schemas.ts'
import type { RowChanges } from './save.ts'

/** What ends a recorded action that changed nothing: the audit log names the reason, the answer has it whole. */
class NotSaved extends Error {
  readonly outcome: SaveOutcome

  constructor(outcome: SaveOutcome) {
    super(outcome.kind === 'refused' ? `refused: SQLSTATE ${outcome.refusal.code}` : outcome.kind)
    this.outcome = outcome
  }
}

/** What the audit log says was changed: `2 rows of public.orders`. */
function describeChanges(changes: readonly RowChange[]): string {
  const counts = new Map<string, number>()
  for (const { kind, schema, table } of changes) {
    const what = `${kind} of ${schema}.${table}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].map(([what, count]) => (count === 1 ? what : `${count} × ${what}`)).join(', ')
}

/** Changes of rows: shown as SQL before, and made together by owners and developers. */
export function changeRoutes(rowChanges: RowChanges, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const tags = ['data']
    const ofPreview = {
      ...{ operationId: 'previewRowChanges', tags, summary: 'The statements of changes, as they would run' },
      body: RowChangesShape,
      response: { 200: Type.Object({ statements: Type.Array(Type.String()) }) },
    }
    app.post('/data/row-changes/preview', { schema: ofPreview }, async (request) => {
      actions.check(request, 'read data')
      return { statements: [...(await rowChanges.preview(request.body.changes))] }
    })

    const ofSave = {
      ...{ operationId: 'saveRowChanges', tags, summary: 'Make changes of rows, all in one transaction or none' },
      body: RowChangesShape,
      response: { 200: SaveOutcome },
    }
    app.post('/data/row-changes', { schema: ofSave }, async (request) => {
      const { changes, isUndo = false } = request.body
      const name = isUndo ? 'rows.undo' : 'rows.change'
      const { id } = request.getDecorator<RequestContext>('requestContext')
      try {
        return await actions.run(request, { name, target: describeChanges(changes) }, async () => {
          const outcome = await rowChanges.save(changes, id)
          if (outcome.kind !== 'saved') throw new NotSaved(outcome)
          return outcome
        })
      } catch (error) {
        if (error instanceof NotSaved) return error.outcome
        throw error
      }
    })
  }
}
