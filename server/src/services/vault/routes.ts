import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { NewSecretBody, SecretChangeBody, SecretsPage } from './schemas.ts'
import type { Vault } from './vault.ts'

const tags = ['vault']
const Id = Type.String({ format: 'uuid' })
const IdParams = Type.Object({ id: Id })
const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 100 })

/**
 * Secrets in the console: owners and developers see names and change values; only owners read a value, one at a time,
 * with a recent proof of their identity.
 */
export function vaultRoutes(vault: Vault, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    const list = {
      operationId: 'secrets',
      tags,
      summary: 'Secrets by name, without their values',
      querystring: Type.Object({ limit: Limit, after: Type.Optional(Id) }),
      response: { 200: SecretsPage },
    }
    app.get('/vault', { schema: list }, (request) => {
      actions.check(request, 'read data')
      const { limit, after = null } = request.query
      return vault.list({ limit, after })
    })

    const create = {
      operationId: 'createSecret',
      tags,
      summary: 'Store a secret',
      body: NewSecretBody,
      response: { 201: Type.Object({ id: Type.String() }) },
    }
    app.post('/vault', { schema: create }, async (request, reply) => {
      const action = { name: 'secret.create', target: `secret ${request.body.name}` }
      return reply.code(201).send({ id: await actions.run(request, action, () => vault.create(request.body)) })
    })

    const change = {
      operationId: 'changeSecret',
      tags,
      summary: 'Change a secret’s name, description or value',
      params: IdParams,
      body: SecretChangeBody,
      response: { 204: Type.Null() },
    }
    app.patch('/vault/:id', { schema: change }, async (request, reply) => {
      const { id } = request.params
      actions.check(request, 'change')
      const action = { name: 'secret.change', target: `secret ${await vault.nameOf(id)}` }
      await actions.run(request, action, () => vault.update(id, request.body))
      return reply.code(204).send(null)
    })

    const remove = {
      operationId: 'deleteSecret',
      tags,
      summary: 'Delete a secret',
      params: IdParams,
      response: { 204: Type.Null() },
    }
    app.delete('/vault/:id', { schema: remove }, async (request, reply) => {
      const { id } = request.params
      actions.check(request, 'change')
      const action = { name: 'secret.delete', target: `secret ${await vault.nameOf(id)}` }
      await actions.run(request, action, () => vault.delete(id))
      return reply.code(204).send(null)
    })

    const reveal = {
      operationId: 'revealSecret',
      tags,
      summary: 'Read the value of a secret',
      params: IdParams,
      response: { 200: Type.Object({ secret: Type.String() }) },
    }
    app.post('/vault/:id/reveal', { schema: reveal }, async (request) => {
      const { id } = request.params
      actions.check(request, 'reveal')
      const target = `secret ${await vault.nameOf(id)}`
      const action = { name: 'secret.reveal', target, right: 'reveal', needsProof: true } as const
      return { secret: await actions.run(request, action, () => vault.reveal(id)) }
    })
  }
}
