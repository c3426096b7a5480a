import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { type FindUploader, speakTus, uploaderRoutes } from '../tus/routes.ts'
import { consoleRequest } from './console-request.ts'
import type { ConsoleStorage } from './deps.ts'

/**
 * Resumable uploads of operators (https://tus.io/protocols/resumable-upload): what `/storage/v1/upload/resumable` does for
 * users, with the rights of operators. A scope of its own: its bodies are streams, which nothing parses.
 */
export function uploadConsoleRoutes(
  { resumable }: ConsoleStorage,
  actions: OperatorActions,
  fileSizeLimit: number,
): FastifyPluginAsyncTypebox {
  const byOperator: FindUploader = (request, operation) => {
    actions.check(request, 'change')
    const { caller, ...own } = consoleRequest(request, `storage.tus.${operation}`)
    return {
      request: { ...own, caller },
      // Past row-level security; that a key is taken is known before the bytes are sent.
      tester: caller,
      options: { upsert: request.headers['x-upsert'] === 'true', owner: null },
      // The request that makes it an object is the one that its history names.
      record: ({ bucketId, key }, commit) =>
        actions.run(request, { name: 'object.upload', target: `${bucketId}/${key}` }, commit),
    }
  }
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))
    app.addHook('onRoute', (route) => {
      // The official clients know this protocol; the console's own document does not describe it.
      route.schema = Object.assign({}, route.schema, { hide: true })
    })
    // Relative: a proxy before the console may speak another protocol than it does.
    app.addHook('onSend', async (_request, reply) => {
      const location = reply.getHeader('location')
      if (typeof location === 'string') reply.header('location', new URL(location).pathname)
    })
    speakTus(app)
    await app.register(uploaderRoutes({ resumable, fileSizeLimit, publicUrl: null }, byOperator))
  }
}
