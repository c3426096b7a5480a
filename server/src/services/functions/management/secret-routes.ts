import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { FunctionSecrets as Secrets } from '../secrets/secrets.ts'
import { FunctionSecrets } from './schemas.ts'

const tags = ['functions']
const path = '/function-secrets'
const config = { acceptsTokens: true }
const SecretName = Type.String({ minLength: 1, maxLength: 256 })

/** The secrets of functions: owners and developers see their names and set their values, which are never answered. */
export function functionSecretRoutes(secrets: Secrets, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'functionSecrets',
      tags,
      summary: 'Names and digests of secrets',
      response: { 200: FunctionSecrets },
    }
    app.get(path, { schema: list, config }, async (request) => {
      actions.check(request, 'read data')
      const found = await secrets.list()
      return { secrets: found.map((each) => ({ ...each, updatedAt: each.updatedAt.toISOString() })) }
    })

    const set = {
      operationId: 'setFunctionSecrets',
      tags,
      summary: 'Set secrets; the next process of each function finds them',
      body: Type.Array(Type.Object({ name: SecretName, value: Type.String() }), { minItems: 1, maxItems: 1000 }),
      response: { 204: Type.Null() },
    }
    // A hundred values of the largest size, in JSON.
    app.post(path, { schema: set, config, bodyLimit: 16 * 1024 * 1024 }, async (request, reply) => {
      const values = Object.fromEntries(request.body.map(({ name, value }) => [name, value]))
      const action = { name: 'function-secret.set', target: targetOf(Object.keys(values)) }
      await actions.run(request, action, () => secrets.set(values))
      return reply.code(204).send(null)
    })

    const unset = {
      operationId: 'unsetFunctionSecrets',
      tags,
      summary: 'Delete secrets by their names',
      body: Type.Array(SecretName, { minItems: 1, maxItems: 1000 }),
      response: { 204: Type.Null() },
    }
    app.delete(path, { schema: unset, config }, async (request, reply) => {
      const action = { name: 'function-secret.unset', target: targetOf(request.body) }
      await actions.run(request, action, () => secrets.unset(request.body))
      return reply.code(204).send(null)
    })
  }
}

const longestTarget = 500
const targetOf = (names: readonly string[]): string => `secrets ${names.join(', ')}`.slice(0, longestTarget)
