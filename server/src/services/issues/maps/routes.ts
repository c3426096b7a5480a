import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { issuesError } from '../errors.ts'
import type { SourceMaps } from './upload.ts'

const tags = ['errors']
/** An operator's token may do what these routes do, so that the command line can. */
const config = { acceptsTokens: true }
const Release = Type.String({ maxLength: 200 })

const uploadRoute = {
  operationId: 'uploadSourceMap',
  tags,
  summary: 'Keep the source map of a built file: the body is the map, packed by gzip',
  consumes: ['application/gzip'],
  querystring: Type.Object({
    release: Type.Optional(Release),
    path: Type.String({ minLength: 1, maxLength: 1000, description: 'The built file’s, as assets/index.js' }),
    chunk: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The built file’s chunkId' })),
  }),
  response: { 201: Type.Object({ hash: Type.String() }) },
}

const listRoute = {
  operationId: 'sourceMaps',
  tags,
  summary: 'What source maps were uploaded, by release, the latest first',
  response: {
    200: Type.Object({
      releases: Type.Array(
        Type.Object({
          release: Type.String({ description: 'Empty for files of no release' }),
          files: Type.Integer(),
          sizeBytes: Type.Number(),
          uploadedAt: Instant,
        }),
      ),
    }),
  },
}

const deleteRoute = {
  operationId: 'deleteSourceMaps',
  tags,
  summary: 'Delete the source maps of a release',
  querystring: Type.Object({ release: Release }),
  response: { 204: Type.Null() },
}

/** Source maps for the command line and the console: owners and developers upload and delete them. */
export function sourceMapRoutes(
  maps: SourceMaps,
  actions: OperatorActions,
  bodyLimit: number,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addContentTypeParser('application/gzip', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )

    app.post('/error-source-maps', { schema: uploadRoute, config, bodyLimit }, async (request, reply) => {
      const { release = '', path, chunk: chunkId = null } = request.query
      const { body } = request
      if (!Buffer.isBuffer(body)) throw issuesError('CLEW_ISSUES_SOURCE_MAP')
      const action = { name: 'source-map.upload', target: release === '' ? path : `${path} of ${release}` }
      const file = { release, path: path.replace(/^\/+/, ''), chunkId }
      const hash = await actions.run(request, action, () => maps.upload(file, body))
      return reply.code(201).send({ hash })
    })

    app.get('/error-source-maps', { schema: listRoute, config }, async (request) => {
      actions.check(request, 'look')
      const releases = await maps.releases()
      return { releases: releases.map((each) => ({ ...each, uploadedAt: each.uploadedAt.toISOString() })) }
    })

    app.delete('/error-source-maps', { schema: deleteRoute, config }, async (request, reply) => {
      const { release } = request.query
      const action = { name: 'source-map.delete', target: release === '' ? 'files of no release' : release }
      await actions.run(request, action, () => maps.delete(release))
      return reply.code(204).send(null)
    })
  }
}
