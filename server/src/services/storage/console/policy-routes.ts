import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Policies } from './policies.ts'
import { PolicyTemplate, StoragePolicy } from './schemas.ts'

const tags = ['storage']

/** Policies of storage in the console: only owners change who may read and write objects. */
export function policyRoutes(policies: Policies, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'storagePolicies',
      tags,
      summary: 'The policies of objects and buckets',
      response: { 200: Type.Object({ policies: Type.Array(StoragePolicy) }) },
    }
    app.get('/storage/policies', { schema: list }, async (request) => {
      actions.check(request, 'look')
      return { policies: await policies.list() }
    })

    const templates = {
      operationId: 'storagePolicyTemplates',
      tags,
      summary: 'The policies that most buckets need, as SQL for one bucket',
      querystring: Type.Object({ bucketId: Type.String({ minLength: 1 }) }),
      response: { 200: Type.Object({ templates: Type.Array(PolicyTemplate) }) },
    }
    app.get('/storage/policies/templates', { schema: templates }, async (request) => {
      actions.check(request, 'look')
      return { templates: [...policies.templates(request.query.bucketId)] }
    })

    const apply = {
      operationId: 'applyStoragePolicy',
      tags,
      summary: 'Run the SQL of a template',
      body: Type.Object({ templateId: Type.String(), bucketId: Type.String({ minLength: 1 }) }),
      response: { 204: Type.Null() },
    }
    app.post('/storage/policies', { schema: apply }, async (request, reply) => {
      const { templateId, bucketId } = request.body
      const target = `${templateId} for bucket ${bucketId}`
      await actions.run(request, { name: 'policy.create', target, right: 'grant' }, () =>
        policies.apply(templateId, bucketId),
      )
      return reply.code(204).send(null)
    })

    const drop = {
      operationId: 'dropStoragePolicy',
      tags,
      summary: 'Drop a policy',
      params: Type.Object({
        table: Type.Union([Type.Literal('objects'), Type.Literal('buckets')]),
        name: Type.String({ minLength: 1 }),
      }),
      response: { 204: Type.Null() },
    }
    app.delete('/storage/policies/:table/:name', { schema: drop }, async (request, reply) => {
      const { table, name } = request.params
      await actions.run(request, { name: 'policy.drop', target: `${name} on storage.${table}`, right: 'grant' }, () =>
        policies.drop(table, name),
      )
      return reply.code(204).send(null)
    })
  }
}
