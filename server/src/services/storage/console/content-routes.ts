import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { translateFileError } from '../http/error-response.ts'
import { planRepresentation } from '../objects/representation.ts'
import { consoleRequest } from './console-request.ts'
import type { ConsoleStorage } from './deps.ts'
import { previewHeaders } from './preview.ts'

const tags = ['storage']
const Params = Type.Object({ bucketId: Type.String() })
const Key = Type.String({ minLength: 1, maxLength: 1024 })

/** The bytes of objects in the console. */
export function contentRoutes({ reads }: ConsoleStorage, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const schema = {
      operationId: 'storageContent',
      tags,
      summary: 'The bytes of an object, or a range of them',
      params: Params,
      querystring: Type.Object({
        key: Key,
        download: Type.Optional(Type.Boolean({ description: 'As a file, and not to be shown' })),
      }),
    }
    app.get('/storage/buckets/:bucketId/content', { schema }, async (request, reply) => {
      actions.check(request, 'read data')
      const { key, download = false } = request.query
      const own = consoleRequest(request, 'storage.object.get_authenticated')
      const object = await reads.findOwn(own, own.caller, { bucketId: request.params.bucketId, key })
      const options = { method: 'GET', download: null, expiresAt: null } as const
      const { status, headers, range } = planRepresentation(object, request.headers, options)
      const fileName = key.split('/').at(-1) ?? key
      const sent = { ...headers, ...previewHeaders(object.metadata.mimetype ?? null, fileName, download) }
      if (status === 304) return reply.code(304).headers(sent).send()
      const body = await reads.open(object, range).catch((error: unknown) => {
        throw translateFileError(error)
      })
      return reply.code(status).headers(sent).send(body)
    })
  }
}
