import type { FastifyPluginAsync } from 'fastify'
import type { Rest } from '../rest.ts'

/** `/rest-admin/v1` (project-folder §3): `live` while the process runs, `ready` while a schema cache is served. */
export const restHealthPlugin =
  ({ schema }: { readonly schema: Pick<Rest['schema'], 'ready'> }): FastifyPluginAsync =>
  async (app) => {
    app.get('/live', (_request, reply) => reply.send())
    app.get('/ready', (_request, reply) => reply.code(schema.ready() ? 200 : 503).send())
  }
