import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { replayError } from './errors.ts'
import { type ImportFileDeps, importFile } from './file/import-file.ts'

const Imported = Type.Object(
  {
    sessionId: Type.String(),
    messages: Type.Integer({ description: 'Of the recording in the file' }),
    stored: Type.Integer(),
    already: Type.Integer({ description: 'Those that were there before' }),
    expired: Type.Integer({ description: 'Those that arrived longer ago than recordings are kept' }),
    withheld: Type.Integer({ description: 'Those of visitors whose data may not be stored' }),
    retentionDays: Type.Integer({ description: 'How long recordings are kept' }),
  },
  { $id: 'ImportedRecording' },
)

const route = {
  operationId: 'importRecording',
  tags: ['thread'],
  summary: 'Store the recording of a file, under the ids that it has: a second time nothing changes',
  consumes: ['application/gzip'],
  response: { 200: Imported },
}

/** The import of recordings, for owners and developers; the command line sends an access token. */
export function replayRoutes(deps: ImportFileDeps, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    // Read as it arrives: a file may be larger than the memory.
    app.addContentTypeParser('application/gzip', (_request, payload, done) =>
      // A refusal is answered while the rest of the file still comes.
      done(null, payload.iterator({ destroyOnReturn: false })),
    )
    app.post('/recordings', { schema: route, config: { acceptsTokens: true } }, async (request) => {
      const body = request.body as AsyncIterable<Buffer> | undefined
      if (body === undefined || body === null) throw replayError('CLEW_REPLAY_FILE_FORM')
      const action = { name: 'recording.import', target: 'a file' }
      const imported = await actions.run(request, action, () => importFile(body, deps))
      return { ...imported, retentionDays: deps.settings.retentionDays }
    })
  }
}
