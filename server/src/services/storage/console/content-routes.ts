import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { readUploadBody } from '../http/body/upload-body.ts'
import { translateFileError } from '../http/error-response.ts'
import { planRepresentation } from '../objects/representation.ts'
import { consoleRequest } from './console-request.ts'
import type { ConsoleStorage } from './deps.ts'
import { previewHeaders } from './preview.ts'

const tags = ['storage']
const Params = Type.Object({ bucketId: Type.String() })
const Key = Type.String({ minLength: 1, maxLength: 1024 })

/** The bytes of objects in the console, both ways. */
export function contentRoutes(storage: ConsoleStorage, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    downloadRoute(app, storage, actions)
    await app.register(uploadRoute(storage, actions))
  }
}

function downloadRoute(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  { reads }: ConsoleStorage,
  actions: OperatorActions,
): void {
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
    const fileName = download ? (key.split('/').at(-1) ?? key) : null
    const sent = { ...headers, ...previewHeaders(object.metadata.mimetype ?? null, fileName) }
    if (status === 304) return reply.code(304).headers(sent).send()
    const body = await reads.open(object, range).catch((error: unknown) => {
      throw translateFileError(error)
    })
    return reply.code(status).headers(sent).send(body)
  })
}

/** A scope of its own: its bodies are streams, which nothing parses. */
function uploadRoute({ uploads }: ConsoleStorage, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))
    const schema = {
      operationId: 'uploadStorageObject',
      tags,
      summary: 'Store the body as an object',
      params: Params,
      querystring: Type.Object({ key: Key, upsert: Type.Boolean({ default: false }) }),
      response: { 204: Type.Null() },
    }
    app.put('/storage/buckets/:bucketId/content', { schema }, async (request, reply) => {
      const { key, upsert } = request.query
      const name = { bucketId: request.params.bucketId, key }
      const own = consoleRequest(request, 'storage.object.upload')
      const target = `${name.bucketId}/${key}`
      try {
        await actions.run(request, { name: 'object.upload', target }, async () => {
          const body = await readUploadBody(request.headers, request.raw)
          const options = { upsert, owner: null }
          const limit = await uploads.admit(own, own.caller, name, body, options)
          await uploads.store(own, name, body, limit, options)
        })
      } catch (error) {
        // What the client still sends is read and dropped, so that it comes to read the answer.
        request.raw.unpipe()
        request.raw.resume()
        throw translateFileError(error)
      }
      return reply.code(204).send(null)
    })
  }
}
