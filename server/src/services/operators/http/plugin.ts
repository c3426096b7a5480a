import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { type Operators, visitorOf } from '../operators.ts'
import { refuseForeignOrigin } from './origin.ts'

const Role = Type.Union([
  Type.Literal('owner'),
  Type.Literal('developer'),
  Type.Literal('analyst'),
  Type.Literal('viewer'),
])
const OperatorShape = Type.Object({ id: Type.String(), name: Type.String(), email: Type.String(), role: Role })
const SignedInShape = Type.Object({ operator: OperatorShape })
/** Who signed in, or what is asked for beside the password. */
const SignInShape = Type.Object({
  operator: Type.Union([OperatorShape, Type.Null()]),
  secondStep: Type.Union([
    Type.Object({
      ticket: Type.String(),
      hasTotp: Type.Boolean(),
      passkeyOptions: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    }),
    Type.Null(),
  ]),
})
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
        const { operator, cookies } = await operators.claim(request.body, visitorOf(request))
        return reply
          .code(201)
          .header('set-cookie', [...cookies])
          .send({ operator })
      },
    )

    app.get(
      '/session',
      { schema: { operationId: 'getSession', tags, summary: 'Who is signed in', response: { 200: SignedInShape } } },
      async (request, reply) => {
        const { session, cookie } = await operators.authenticate(visitorOf(request))
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
          body: Type.Object({ email: Short, password: Secret }),
          response: { 200: SignInShape },
        },
      },
      async (request, reply) => {
        const result = await operators.signIn(request.body, visitorOf(request))
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
          body: Type.Object({ ticket: Secret, code: Type.Optional(Short), credential: Type.Optional(Type.Unknown()) }),
          response: { 200: SignedInShape },
        },
      },
      async (request, reply) => {
        const { ticket, ...proof } = request.body
        const { operator, cookies } = await operators.signInWithFactor(ticket, proof, visitorOf(request))
        return reply.header('set-cookie', [...cookies]).send({ operator })
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
