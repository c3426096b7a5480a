import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Operators } from '../operators.ts'
import { clientOf } from '../sessions/client.ts'
import { SignedInSchema, SignInSchema, tags } from './operator-schemas.ts'
import { Empty, SecretText, ShortText } from './schemas.ts'

/** The routes of signing in and out. */
export function sessionRoutes(operators: Operators): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/session',
      { schema: { operationId: 'getSession', tags, summary: 'Who is signed in', response: { 200: SignedInSchema } } },
      async (request, reply) => {
        const { session, cookie } = await operators.authenticate(clientOf(request))
        if (cookie !== null) reply.header('set-cookie', cookie)
        return { operator: session.operator }
      },
    )

    app.post(
      '/session',
      {
        schema: {
          operationId: 'signIn',
          tags,
          summary: 'Sign in with e-mail address and password',
          body: Type.Object({ email: ShortText, password: SecretText }),
          response: { 200: SignInSchema },
        },
      },
      async (request, reply) => {
        const result = await operators.signIn(request.body, clientOf(request))
        if (result.kind === 'second step') {
          const { ticket, hasTotp, passkeyOptions } = result
          return { operator: null, secondStep: { ticket, hasTotp, passkeyOptions } }
        }
        reply.header('set-cookie', [...result.cookies])
        return { operator: result.operator, secondStep: null }
      },
    )

    app.post(
      '/session/factor',
      {
        schema: {
          operationId: 'signInWithFactor',
          tags,
          summary: 'The second step of a sign-in: a code, or a passkey’s answer',
          body: Type.Object({
            ticket: SecretText,
            code: Type.Optional(ShortText),
            credential: Type.Optional(Type.Unknown()),
          }),
          response: { 200: SignedInSchema },
        },
      },
      async (request, reply) => {
        const { ticket, ...proof } = request.body
        const { operator, cookies } = await operators.signInWithFactor(ticket, proof, clientOf(request))
        return reply.header('set-cookie', [...cookies]).send({ operator })
      },
    )

    app.delete(
      '/session',
      { schema: { operationId: 'signOut', tags, summary: 'Sign out', response: { 204: Empty } } },
      async (request, reply) => {
        const cookie = await operators.signOut(request.headers.cookie)
        return reply.code(204).header('set-cookie', cookie).send(null)
      },
    )
  }
}
