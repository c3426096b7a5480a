import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { storageError } from '../../errors.ts'
import { readMetadataHeader } from '../../http/body/upload-body.ts'
import { checkHeaderValue } from '../../http/header-value.ts'
import { BucketParams, ObjectParams, objectNameOf } from '../../http/params.ts'
import { listLimitBytes } from '../../http/plugin.ts'
import { contextOf, ownRequest } from '../../http/routes.ts'
import { parseCursor } from '../list.ts'
import type { CopyOptions, ManagedObjects } from '../manage.ts'

const Order = Type.Union([Type.Literal('asc'), Type.Literal('desc')])
const SearchBody = Type.Object({
  prefix: Type.String(),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_000_000_000 })),
  search: Type.Optional(Type.String()),
  sortBy: Type.Optional(
    Type.Object({
      column: Type.Union([
        Type.Literal('name'),
        Type.Literal('updated_at'),
        Type.Literal('created_at'),
        Type.Literal('last_accessed_at'),
      ]),
      order: Type.Optional(Order),
    }),
  ),
})
const ListBody = Type.Object({
  prefix: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  cursor: Type.Optional(Type.String()),
  with_delimiter: Type.Optional(Type.Boolean()),
  sortBy: Type.Optional(
    Type.Object({
      column: Type.Union([Type.Literal('name'), Type.Literal('updated_at'), Type.Literal('created_at')]),
      order: Type.Optional(Order),
    }),
  ),
})
const RemoveBody = Type.Object({ prefixes: Type.Array(Type.String(), { minItems: 1 }) })
const MoveBody = Type.Object({
  bucketId: Type.String(),
  sourceKey: Type.String(),
  destinationKey: Type.String(),
  destinationBucket: Type.Optional(Type.String()),
})
const CopyBody = Type.Object({
  ...MoveBody.properties,
  copyMetadata: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(
    Type.Object({ cacheControl: Type.Optional(Type.String()), mimetype: Type.Optional(Type.String()) }),
  ),
})

const json = 'application/json; charset=utf-8'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** Lists, deletions, moves and copies of `/object` (storage §8). @param objectsPerRequest listed or removed at most */
export function manageRoutes(objects: ManagedObjects, objectsPerRequest: number): FastifyPluginAsyncTypebox {
  return async (app) => {
    listRoutes(app, objects, objectsPerRequest)
    removeRoutes(app, objects, objectsPerRequest)
    moveRoutes(app, objects)
  }
}

function listRoutes(app: App, objects: ManagedObjects, mostListed: number): void {
  app.post('/list/:bucketName', { schema: { params: BucketParams, body: SearchBody } }, async (request, reply) => {
    const { prefix, limit = 100, offset = 0, search = '', sortBy } = request.body
    const { body, count } = await objects.search(
      ownRequest(request, 'storage.object.list'),
      request.params.bucketName,
      {
        // The prefix is a folder, whether it says so or not.
        prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
        limit: Math.min(limit, mostListed),
        offset,
        search,
        column: sortBy?.column ?? 'name',
        order: sortBy?.order ?? 'asc',
      },
    )
    contextOf(request).rows = count
    return reply.type(json).send(body)
  })
  app.post('/list-v2/:bucketName', { schema: { params: BucketParams, body: ListBody } }, async (request) => {
    const { prefix = '', limit = mostListed, cursor, with_delimiter: withDelimiter = false, sortBy } = request.body
    const after = cursor === undefined || cursor === '' ? null : parseCursor(cursor)
    const page = await objects.list(ownRequest(request, 'storage.object.list_v2'), request.params.bucketName, {
      prefix,
      limit: Math.min(limit, mostListed),
      withDelimiter,
      after,
      column: after?.column ?? sortBy?.column ?? 'name',
      order: after?.order ?? sortBy?.order ?? 'asc',
    })
    contextOf(request).rows = page.objects.length
    return page
  })
}

function removeRoutes(app: App, objects: ManagedObjects, mostRemoved: number): void {
  app.delete('/:bucketName/*', { schema: { params: ObjectParams } }, async (request) => {
    await objects.remove(ownRequest(request, 'storage.object.delete'), objectNameOf(request.params))
    return { message: 'Successfully deleted' }
  })
  const many = { schema: { params: BucketParams, body: RemoveBody }, bodyLimit: listLimitBytes }
  app.delete('/:bucketName', many, async (request, reply) => {
    const own = ownRequest(request, 'storage.object.delete_many')
    const { prefixes } = request.body
    if (prefixes.length > mostRemoved)
      throw storageError('InvalidRequest', {
        message: `Bulk object requests are limited to ${mostRemoved} objects per request.`,
      })
    const { body, count } = await objects.removeMany(own, request.params.bucketName, prefixes)
    contextOf(request).rows = count
    return reply.type(json).send(body)
  })
}

function moveRoutes(app: App, objects: ManagedObjects): void {
  const namesOf = ({ bucketId, sourceKey, destinationKey, destinationBucket }: Type.Static<typeof MoveBody>) => ({
    from: { bucketId, key: sourceKey },
    to: { bucketId: destinationBucket ?? bucketId, key: destinationKey },
  })
  app.post('/move', { schema: { body: MoveBody } }, async (request) => {
    const { from, to } = namesOf(request.body)
    const id = await objects.move(ownRequest(request, 'storage.object.move'), from, to)
    return { message: 'Successfully moved', Id: id, Key: `${to.bucketId}/${to.key}` }
  })
  app.post('/copy', { schema: { body: CopyBody } }, async (request) => {
    const { copyMetadata = true, metadata } = request.body
    const { from, to } = namesOf(request.body)
    const own = ownRequest(request, 'storage.object.copy')
    const attached = readMetadataHeader(request.headers['x-metadata'])
    const options: CopyOptions = {
      owner: own.caller.subject,
      upsert: request.headers['x-upsert'] === 'true',
      ...(copyMetadata ? {} : changesOf(metadata)),
      ...(copyMetadata ? {} : { userMetadata: attached }),
    }
    const { id, body } = await objects.copy(own, from, to, options)
    // The database's own JSON of the row.
    return { Id: id, Key: `${to.bucketId}/${to.key}`, ...(JSON.parse(body) as object) }
  })
}

const changesOf = ({ mimetype, cacheControl }: { mimetype?: string; cacheControl?: string } = {}) => ({
  ...(mimetype === undefined ? {} : { mimeType: checkHeaderValue(mimetype) }),
  ...(cacheControl === undefined ? {} : { cacheControl: checkHeaderValue(cacheControl) }),
})
