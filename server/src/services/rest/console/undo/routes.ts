import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../../ground/model/operator-actions.ts'
import { PastChange, UndoPreview } from '../schemas.ts'
import type { PreviewUndo } from './undo.ts'

/** What would take changes back, for those who may read the data; it is made as other changes are. */
export function undoRoutes(previewUndo: PreviewUndo, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const ofUndo = {
      ...{ operationId: 'previewUndo', tags: ['data'] },
      summary: 'What would take changes of the past back, and what stands against it',
      body: Type.Object({
        changes: Type.Array(PastChange, {
          ...{ minItems: 1, maxItems: 1000 },
          description: 'In the order in which they were made',
        }),
      }),
      response: { 200: UndoPreview },
    }
    app.post('/data/row-changes/undo', { schema: ofUndo }, async (request) => {
      actions.check(request, 'change')
      return previewUndo(request.body.changes)
    })
  }
}
