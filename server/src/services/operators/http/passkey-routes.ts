import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { AccessRoutesDeps } from './access-routes-deps.ts'
import { IdParams, NewFactorSchema, tags, toNewFactor } from './access-schemas.ts'
import { CeremonySchema, Empty, SecretText } from './schemas.ts'

const PasskeyName = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f]+$' })

/** The routes of passkeys. */
export function passkeyRoutes({ access, currentSession }: AccessRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/access/passkeys/options',
      {
        schema: {
          operationId: 'beginPasskey',
          tags,
          summary: 'Begin to add a passkey',
          response: { 200: CeremonySchema },
        },
      },
      async (request) => access.passkeys.start(await currentSession(request)),
    )

    app.post(
      '/access/passkeys',
      {
        schema: {
          operationId: 'addPasskey',
          tags,
          summary: 'Add the passkey that the browser made',
          body: Type.Object({ ticket: SecretText, credential: Type.Unknown(), name: PasskeyName }),
          response: { 201: NewFactorSchema },
        },
      },
      async (request, reply) =>
        reply.code(201).send(toNewFactor(await access.passkeys.add(await currentSession(request), request.body))),
    )

    app.patch(
      '/access/passkeys/:id',
      {
        schema: {
          operationId: 'renamePasskey',
          tags,
          summary: 'Call a passkey something else',
          params: IdParams,
          body: Type.Object({ name: PasskeyName }),
          response: { 204: Empty },
        },
      },
      async (request, reply) => {
        await access.passkeys.rename(await currentSession(request), request.params.id, request.body.name)
        return reply.code(204).send(null)
      },
    )

    app.delete(
      '/access/passkeys/:id',
      {
        schema: {
          operationId: 'removePasskey',
          tags,
          summary: 'Remove a passkey',
          params: IdParams,
          response: { 204: Empty },
        },
      },
      async (request, reply) => {
        await access.passkeys.remove(await currentSession(request), request.params.id)
        return reply.code(204).send(null)
      },
    )
  }
}
