import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { AccessRoutesDeps } from './access-routes-deps.ts'
import { NewFactorSchema, tags, toNewFactor } from './access-schemas.ts'
import { Empty, ShortText } from './schemas.ts'

/** The routes of the authenticator app. */
export function totpRoutes({ access, currentSession }: AccessRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/access/totp',
      {
        schema: {
          operationId: 'beginTotp',
          tags,
          summary: 'Begin to add an authenticator app',
          response: { 200: Type.Object({ secret: Type.String(), uri: Type.String(), qrCode: Type.String() }) },
        },
      },
      async (request) => access.totp.start(await currentSession(request)),
    )

    app.post(
      '/access/totp/confirm',
      {
        schema: {
          operationId: 'confirmTotp',
          tags,
          summary: 'Add the app, by its first code',
          body: Type.Object({ code: ShortText }),
          response: { 200: NewFactorSchema },
        },
      },
      async (request) => toNewFactor(await access.totp.confirm(await currentSession(request), request.body.code)),
    )

    app.delete(
      '/access/totp',
      {
        schema: {
          operationId: 'removeTotp',
          tags,
          summary: 'Remove the authenticator app',
          response: { 204: Empty },
        },
      },
      async (request, reply) => {
        await access.totp.remove(await currentSession(request))
        return reply.code(204).send(null)
      },
    )
  }
}
