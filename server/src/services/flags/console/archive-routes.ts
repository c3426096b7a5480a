import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { FlagArchive } from './archive.ts'
import { ArchivePage, FlagSchema } from './schemas.ts'

const tags = ['flags']

const archiveRoute = {
  operationId: 'archiveFlag',
  tags,
  summary: 'Archive a flag: it is off for all, and its key is free',
  params: Type.Object({ key: Type.String({ maxLength: 200 }) }),
  response: { 204: Type.Null() },
}
const listRoute = {
  operationId: 'archivedFlags',
  tags,
  summary: 'Archived flags, the latest first',
  querystring: Type.Object({
    text: Type.String({ maxLength: 200, default: '', description: 'A part of the key or the description' }),
  }),
  response: { 200: ArchivePage },
}
const restoreRoute = {
  operationId: 'restoreFlag',
  tags,
  summary: 'Bring an archived flag back under its key, off for all',
  params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
  response: { 200: FlagSchema },
}

/** Archived flags in the console: analysts look, owners and developers archive and restore. */
export function archiveRoutes(archive: FlagArchive, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.delete('/flags/:key', { schema: archiveRoute }, async (request, reply) => {
      const { key } = request.params
      await actions.run(request, { name: 'flag.archive', target: `flag ${key}` }, () =>
        archive.archive(key, operatorOf(request)),
      )
      return reply.code(204).send(null)
    })

    app.get('/archived-flags', { schema: listRoute }, (request) => {
      actions.check(request, 'look')
      return archive.list(request.query.text)
    })

    app.post('/archived-flags/:id/restore', { schema: restoreRoute }, (request) => {
      const { id } = request.params
      return actions.run(request, { name: 'flag.restore', target: `flag ${id}` }, () =>
        archive.restore(id, operatorOf(request)),
      )
    })
  }
}
