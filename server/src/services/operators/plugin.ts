import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import type { Operators } from './operators.ts'
import { refuseForeignOrigin } from './origin.ts'

const Role = Type.Union([
  Type.Literal('owner'),
  Type.Literal('developer'),
  Type.Literal('analyst'),
  Type.Literal('viewer'),
])
const OperatorShape = Type.Object({ id: Type.String(), name: Type.String(), email: Type.String(), role: Role })
const SignedInShape = Type.Object({ operator: OperatorShape })
const Short = Type.String({ minLength: 1, maxLength: 255 })
const Secret = Type.String({ minLength: 1, maxLength: 1024 })
const tags = ['operators']

/** The console's open routes: set-up and sign-in. Mounted under `/console/api`, before the guard. */
export function operatorsPlugin(operators: Operators): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      refuseForeignOrigin(request)
      reply.header('cache-control', 'no-store')
    })

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
          body: Type.Object({ token: Secret, name: Short, email: Short, password: Secret }),
          response: { 201: SignedInShape },
        },
      },
      async (request, reply) => {
        const { operator, cookie } = await operators.claim({ ...request.body, address: request.ip })
        return reply.code(201).header('set-cookie', cookie).send({ operator })
      },
    )

    app.get(
      '/session',
      { schema: { operationId: 'getSession', tags, summary: 'Who is signed in', response: { 200: SignedInShape } } },
      async (request, reply) => {
        const { operator, cookie } = await operators.authenticate(request.headers.cookie)
        if (cookie !== null) reply.header('set-cookie', cookie)
        return { operator }
      },
    )

    app.post(
      '/session',
      {
        schema: {
          operationId: 'signIn',
          tags,
          summary: 'Sign in with e-mail address and password',
          body: Type.Object({ email: Short, password: Secret }),
          response: { 200: SignedInShape },
        },
      },
      async (request, reply) => {
        const { operator, cookie } = await operators.signIn({ ...request.body, address: request.ip })
        return reply.header('set-cookie', cookie).send({ operator })
      },
    )

    app.delete(
      '/session',
      { schema: { operationId: 'signOut', tags, summary: 'Sign out', response: { 204: Type.Null() } } },
      async (request, reply) => {
        const cookie = await operators.signOut(request.headers.cookie)
        return reply.code(204).header('set-cookie', cookie).send(null)
      },
    )
  }
}

/** Mounts pages that only operators may see. */
export function operatorsOnly(operators: Operators, pages: FastifyPluginAsync): FastifyPluginAsync {
  return async (app) => {
    app.decorateRequest('operator', null)
    app.addHook('onRequest', operators.guard)
    await app.register(pages)
  }
}
