import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { AccessRoutesDeps } from './access-routes-deps.ts'
import { tags } from './access-schemas.ts'
import { CeremonySchema, Empty, Nullable, SecretText, ShortText } from './schemas.ts'

/** The routes that prove the operator's identity before factors are changed. */
export function proofRoutes({ access, currentSession }: AccessRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/access/proof/options',
      {
        schema: {
          operationId: 'askForProof',
          tags,
          summary: 'What a passkey has to sign to prove that it is you',
          response: { 200: Type.Object({ ceremony: Nullable(CeremonySchema) }) },
        },
      },
      async (request) => ({ ceremony: await access.proof.challenge(await currentSession(request)) }),
    )

    app.post(
      '/access/proof',
      {
        schema: {
          operationId: 'prove',
          tags,
          summary: 'Prove that it is you, for ten minutes: a factor, or the password where there is none',
          body: Type.Object({
            password: Type.Optional(SecretText),
            code: Type.Optional(ShortText),
            ticket: Type.Optional(SecretText),
            credential: Type.Optional(Type.Unknown()),
          }),
          response: { 204: Empty },
        },
      },
      async (request, reply) => {
        await access.proof.prove(await currentSession(request), request.body)
        return reply.code(204).send(null)
      },
    )
  }
}
