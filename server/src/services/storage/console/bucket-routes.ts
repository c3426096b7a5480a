import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { ConsoleBuckets } from './buckets.ts'
import { consoleRequest } from './console-request.ts'
import { BucketChange, BucketsAnswer, NewBucket } from './schemas.ts'

const tags = ['storage']
const Params = Type.Object({ bucketId: Type.String() })

interface BucketConsoleDeps {
  readonly buckets: ConsoleBuckets
  readonly actions: OperatorActions
  readonly fileSizeLimit: number
}

/** Buckets in the console. */
export function bucketConsoleRoutes({ buckets, actions, fileSizeLimit }: BucketConsoleDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'buckets',
      tags,
      summary: 'Buckets by name, each with the number and the bytes of its objects',
      response: { 200: BucketsAnswer },
    }
    app.get('/storage/buckets', { schema: list }, async (request) => {
      actions.check(request, 'look')
      const { buckets: found, countedAt } = await buckets.list(consoleRequest(request, 'storage.bucket.list'))
      return { buckets: found, countedAt: countedAt.toISOString(), fileSizeLimit }
    })

    const names = {
      operationId: 'bucketNames',
      tags,
      summary: 'The names of all buckets',
      response: { 200: Type.Object({ names: Type.Array(Type.String()) }) },
    }
    app.get('/storage/bucket-names', { schema: names }, async (request) => {
      actions.check(request, 'look')
      return { names: await buckets.names(consoleRequest(request, 'storage.bucket.list')) }
    })

    const create = {
      operationId: 'createBucket',
      tags,
      summary: 'Create a bucket',
      body: NewBucket,
      response: { 204: Type.Null() },
    }
    app.post('/storage/buckets', { schema: create }, async (request, reply) => {
      const { name, ...values } = request.body
      await actions.run(request, { name: 'bucket.create', target: `bucket ${name}` }, () =>
        buckets.create(consoleRequest(request, 'storage.bucket.create'), name, values),
      )
      return reply.code(204).send(null)
    })

    const change = {
      operationId: 'changeBucket',
      tags,
      summary: 'Change the settings of a bucket',
      params: Params,
      body: BucketChange,
      response: { 204: Type.Null() },
    }
    app.patch('/storage/buckets/:bucketId', { schema: change }, async (request, reply) => {
      const { bucketId } = request.params
      await actions.run(request, { name: 'bucket.change', target: `bucket ${bucketId}` }, () =>
        buckets.change(consoleRequest(request, 'storage.bucket.update'), bucketId, request.body),
      )
      return reply.code(204).send(null)
    })

    const remove = {
      operationId: 'removeBucket',
      tags,
      summary: 'Delete an empty bucket',
      params: Params,
      response: { 204: Type.Null() },
    }
    app.delete('/storage/buckets/:bucketId', { schema: remove }, async (request, reply) => {
      const { bucketId } = request.params
      await actions.run(request, { name: 'bucket.delete', target: `bucket ${bucketId}` }, () =>
        buckets.remove(consoleRequest(request, 'storage.bucket.delete'), bucketId),
      )
      return reply.code(204).send(null)
    })
  }
}
