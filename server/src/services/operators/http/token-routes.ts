import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Operator } from '../accounts/store.ts'
import type { Operators } from '../operators.ts'
import { IdParams, Instant, tags } from './access-schemas.ts'
import { Empty, Nullable } from './schemas.ts'

const TokenName = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f]+$' })
const longestDays = 366
const Purpose = Type.Enum(['command line', 'agent'], {
  description: 'What it opens: the routes of `clew`, or the tools at /mcp',
})

const AccessTokenList = Type.Object({
  tokens: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        purpose: Purpose,
        createdAt: Instant,
        expiresAt: Instant,
        lastUsedAt: Nullable(Instant),
        lastUsedAddress: Nullable(Type.String()),
      },
      { $id: 'AccessToken', description: 'Without its secret' },
    ),
  ),
})

const operatorOf = (request: FastifyRequest): Operator => request.getDecorator<Operator>('operator')

/** The routes of an operator's access tokens: made with a recent proof of their identity; those of the command line by owners and developers. */
export function tokenRoutes({ tokens, actions }: Pick<Operators, 'tokens' | 'actions'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'accessTokens',
      tags,
      summary: 'Your access tokens, newest first',
      response: { 200: AccessTokenList },
    }
    app.get('/access/tokens', { schema: list }, async (request) => {
      const found = await tokens.list(operatorOf(request))
      return {
        tokens: found.map(({ createdAt, expiresAt, lastUsedAt, ...token }) => ({
          ...token,
          createdAt: createdAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
          lastUsedAt: lastUsedAt?.toISOString() ?? null,
        })),
      }
    })

    const create = {
      operationId: 'createAccessToken',
      tags,
      summary: 'Make an access token, which is answered this once',
      body: Type.Object({
        name: TokenName,
        purpose: Type.Optional(Purpose),
        days: Type.Integer({ minimum: 1, maximum: longestDays }),
      }),
      response: { 201: Type.Object({ token: Type.String(), expiresAt: Instant }) },
    }
    app.post('/access/tokens', { schema: create }, async (request, reply) => {
      const { name, purpose = 'command line', days } = request.body
      // An agent does what its operator may do; the command line is for those who deploy.
      const made =
        purpose === 'agent' ? ({ of: ' for an agent', right: 'look' } as const) : ({ of: '', right: 'change' } as const)
      const action = {
        name: 'token.create',
        target: `access token ${name}${made.of}`,
        right: made.right,
        needsProof: true,
      }
      const { token, expiresAt } = await actions.run(request, action, () =>
        tokens.create(operatorOf(request), { name, purpose, days }),
      )
      return reply.code(201).send({ token, expiresAt: expiresAt.toISOString() })
    })

    const revoke = {
      operationId: 'revokeAccessToken',
      tags,
      summary: 'Revoke an access token',
      params: IdParams,
      response: { 204: Empty },
    }
    app.delete('/access/tokens/:id', { schema: revoke }, async (request, reply) => {
      const { id } = request.params
      const operator = operatorOf(request)
      const name = (await tokens.list(operator)).find((each) => each.id === id)?.name ?? id
      // Also for operators who may make none any more.
      const action = { name: 'token.revoke', target: `access token ${name}`, right: null }
      await actions.run(request, action, () => tokens.revoke(operator, id))
      return reply.code(204).send(null)
    })
  }
}
