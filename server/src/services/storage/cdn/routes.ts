import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { storageError } from '../errors.ts'
import { BucketParams } from '../http/params.ts'
import { ownRequest } from '../http/routes.ts'

const KeyParams = Type.Object({ bucketName: Type.String(), '*': Type.String({ minLength: 1 }) })
const Query = Type.Object({ transformations: Type.Optional(Type.Boolean()) })

/** The dependencies of the routes of caches. */
export interface CdnRoutesDeps {
  /** Forgets the changed images that are kept in memory. */
  readonly forgetImages: () => void
}

/**
 * `/cdn` (storage §8): forgets what is cached. All that this server caches is changed images, by versions of objects, so
 * that none is ever old; a cache in front of it is asked at its own address.
 */
export function cdnRoutes({ forgetImages }: CdnRoutesDeps): FastifyPluginAsyncTypebox {
  const purge = (request: FastifyRequest, operation: string) => {
    const { caller } = ownRequest(request, `storage.cdn.${operation}`)
    if (caller.role !== 'service_role') throw storageError('ServiceRoleNeeded')
    forgetImages()
    return { message: 'success' }
  }
  return async (app) => {
    app.delete('/', { schema: { querystring: Query } }, async (request) => purge(request, 'purge_tenant_cache'))
    app.delete('/:bucketName', { schema: { params: BucketParams, querystring: Query } }, async (request) =>
      purge(request, 'purge_bucket_cache'),
    )
    app.delete('/:bucketName/*', { schema: { params: KeyParams, querystring: Query } }, async (request) =>
      purge(request, 'purge_object_cache'),
    )
  }
}
