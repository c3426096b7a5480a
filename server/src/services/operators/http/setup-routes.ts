import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Operators } from '../operators.ts'
import { clientOf } from '../sessions/client.ts'
import { SignedInSchema, tags } from './operator-schemas.ts'
import { SecretText, ShortText } from './schemas.ts'

/** The routes that create the owner. */
export function setupRoutes(operators: Operators): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/setup',
      {
        schema: {
          operationId: 'getSetup',
          tags,
          summary: 'Whether the instance has an owner yet',
          response: {
            200: Type.Object({
              state: Type.Union([Type.Literal('unclaimed'), Type.Literal('claimed')]),
              project: Type.String(),
            }),
          },
        },
      },
      async () => ({
        state: (await operators.isClaimed()) ? ('claimed' as const) : ('unclaimed' as const),
        project: operators.project,
      }),
    )

    app.post(
      '/setup',
      {
        schema: {
          operationId: 'claimSetup',
          tags,
          summary: 'Create the owner with the one-time link’s token',
          body: Type.Object({ token: SecretText, name: ShortText, email: ShortText, password: SecretText }),
          response: { 201: SignedInSchema },
        },
      },
      async (request, reply) => {
        const { operator, cookies } = await operators.claim(request.body, clientOf(request))
        return reply
          .code(201)
          .header('set-cookie', [...cookies])
          .send({ operator })
      },
    )
  }
}
