import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { storageError } from '../errors.ts'
import { ownRequest } from '../http/routes.ts'
import type { Buckets } from './buckets.ts'
import { sortColumns } from './store.ts'

const IdParams = Type.Object({ bucketId: Type.String() })
/** A constant: a type would be coerced, and turn null into 0, or 0 into null. */
const nothing = Type.Unsafe<null>({ const: null })
const settings = {
  public: Type.Optional(Type.Boolean()),
  file_size_limit: Type.Optional(Type.Union([nothing, Type.Integer({ minimum: 0 }), Type.String()])),
  allowed_mime_types: Type.Optional(Type.Union([nothing, Type.Array(Type.String())])),
}
const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  sortColumn: Type.Optional(Type.Union(sortColumns.map((column) => Type.Literal(column)))),
  sortOrder: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
  search: Type.Optional(Type.String()),
})
const NewBucketSchema = Type.Object({
  name: Type.String(),
  id: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  ...settings,
})
const json = 'application/json; charset=utf-8'

/** The dependencies of the routes of buckets. */
export interface BucketRoutesDeps {
  readonly buckets: Buckets
  /** Begins to remove the objects of a bucket that are there now. */
  readonly empty: (request: ReturnType<typeof ownRequest>, bucketId: string) => Promise<void>
}

/** `/bucket` (storage §3). */
export function bucketRoutes({ buckets, empty }: BucketRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/', { schema: { body: NewBucketSchema } }, async (request) => {
      const { name, type = 'STANDARD', ...input } = request.body
      const own = ownRequest(request, 'storage.bucket.create')
      if (type !== 'STANDARD')
        throw storageError('FeatureNotEnabled', { message: `Buckets of type ${type} are not served` })
      await buckets.create(own, name, input)
      return { name }
    })
    app.get('/', { schema: { querystring: ListQuery } }, async (request, reply) =>
      reply.type(json).send(await buckets.list(ownRequest(request, 'storage.bucket.list'), request.query)),
    )
    app.get('/:bucketId', { schema: { params: IdParams } }, async (request, reply) =>
      reply.type(json).send(await buckets.get(ownRequest(request, 'storage.bucket.get'), request.params.bucketId)),
    )
    app.put(
      '/:bucketId',
      { schema: { params: IdParams, body: Type.Object(settings, { minProperties: 1 }) } },
      async (request) => {
        await buckets.update(ownRequest(request, 'storage.bucket.update'), request.params.bucketId, request.body)
        return { message: 'Successfully updated' }
      },
    )
    app.post('/:bucketId/empty', { schema: { params: IdParams } }, async (request) => {
      const own = ownRequest(request, 'storage.bucket.empty')
      await buckets.get(own, request.params.bucketId)
      await empty(own, request.params.bucketId)
      return { message: 'Empty bucket has been queued. Completion may take up to an hour.' }
    })
    app.delete('/:bucketId', { schema: { params: IdParams } }, async (request) => {
      await buckets.remove(ownRequest(request, 'storage.bucket.delete'), request.params.bucketId)
      return { message: 'Successfully deleted' }
    })
  }
}
