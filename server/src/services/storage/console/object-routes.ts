import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { consoleRequest } from './console-request.ts'
import type { ConsoleObjects } from './objects.ts'
import { EntriesPage, MoveResult, ObjectFacts } from './schemas.ts'

const tags = ['storage']
const Params = Type.Object({ bucketId: Type.String() })
const Key = Type.String({ minLength: 1, maxLength: 1024 })

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** Objects in the console. */
export function objectConsoleRoutes(objects: ConsoleObjects, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRoutes(app, objects, actions)
    changeRoutes(app, objects, actions)
  }
}

function readRoutes(app: App, objects: ConsoleObjects, actions: OperatorActions): void {
  const list = {
    operationId: 'storageEntries',
    tags,
    summary: 'Folders and objects of one folder',
    params: Params,
    querystring: Type.Object({
      prefix: Type.String({
        default: '',
        maxLength: 1024,
        description: 'A folder with its slash, and how names begin',
      }),
      sort: Type.Union([Type.Literal('name'), Type.Literal('updated_at')], { default: 'name' }),
      order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'asc' }),
      after: Type.Optional(Type.String()),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 200 }),
    }),
    response: { 200: EntriesPage },
  }
  app.get('/storage/buckets/:bucketId/entries', { schema: list }, (request) => {
    actions.check(request, 'read data')
    const { after, ...query } = request.query
    return objects.list(consoleRequest(request, 'storage.object.list_v2'), request.params.bucketId, { ...query, after })
  })

  const facts = {
    operationId: 'storageObject',
    tags,
    summary: 'What is known of an object',
    params: Params,
    querystring: Type.Object({ key: Key }),
    response: { 200: ObjectFacts },
  }
  app.get('/storage/buckets/:bucketId/object', { schema: facts }, (request) => {
    actions.check(request, 'read data')
    const name = { bucketId: request.params.bucketId, key: request.query.key }
    return objects.facts(consoleRequest(request, 'object.get_authenticated_info'), name)
  })

  const name = {
    operationId: 'storageObjectName',
    tags,
    summary: 'The bucket and the key of an object',
    params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    response: { 200: Type.Object({ bucketId: Type.String(), key: Type.String() }) },
  }
  app.get('/storage/objects/:id', { schema: name }, (request) => {
    actions.check(request, 'read data')
    return objects.nameOf(consoleRequest(request, 'object.get_authenticated_info'), request.params.id)
  })

  const sign = {
    operationId: 'signStorageObject',
    tags,
    summary: 'A URL by which anyone reads an object for a time',
    params: Params,
    body: Type.Object({ key: Key, expiresInSeconds: Type.Integer({ minimum: 1, maximum: 31_536_000 }) }),
    response: { 200: Type.Object({ url: Type.String() }) },
  }
  app.post('/storage/buckets/:bucketId/sign', { schema: sign }, async (request) => {
    const { bucketId } = request.params
    const { key, expiresInSeconds } = request.body
    const target = `${bucketId}/${key} for ${expiresInSeconds} s`
    const url = await actions.run(request, { name: 'object.sign', target }, () =>
      objects.sign(consoleRequest(request, 'storage.object.sign'), { bucketId, key }, expiresInSeconds),
    )
    return { url }
  })
}

function changeRoutes(app: App, objects: ConsoleObjects, actions: OperatorActions): void {
  const move = {
    operationId: 'moveStorageObjects',
    tags,
    summary: 'Give an object, or the objects of a folder batch by batch, another key or bucket',
    params: Params,
    body: Type.Object({
      from: Key,
      to: Key,
      toBucket: Type.Optional(Type.String()),
      after: Type.String({ default: '', maxLength: 1024, description: '`next` of the batch before' }),
    }),
    response: { 200: MoveResult },
  }
  app.post('/storage/buckets/:bucketId/move', { schema: move }, (request) => {
    const { bucketId } = request.params
    const { from, to, toBucket = bucketId, after } = request.body
    const target = `${bucketId}/${from} to ${toBucket}/${to}`
    const [source, place] = [{ bucketId, key: from } as const, { bucketId: toBucket, key: to } as const]
    return actions.run(request, { name: 'object.move', target }, () =>
      objects.move(consoleRequest(request, 'storage.object.move'), source, place, after),
    )
  })

  const remove = {
    operationId: 'removeStorageObjects',
    tags,
    summary: 'Remove objects and folders, at most 1000 objects a request',
    params: Params,
    body: Type.Object({ keys: Type.Array(Key, { minItems: 1, maxItems: 1000 }) }),
    response: {
      200: Type.Object({
        removed: Type.Integer(),
        undo: Type.Union([Type.String(), Type.Null()], { description: 'Restores them within 40 seconds' }),
        more: Type.Boolean({ description: 'Whether objects of the folders are left' }),
      }),
    },
  }
  app.post('/storage/buckets/:bucketId/remove', { schema: remove, bodyLimit: 2 * 1024 * 1024 }, (request) => {
    const { bucketId } = request.params
    const { keys } = request.body
    return actions.run(request, { name: 'object.delete', target: describeKeys(bucketId, keys) }, () =>
      objects.remove(consoleRequest(request, 'storage.object.delete_many'), bucketId, keys),
    )
  })

  const empty = {
    operationId: 'emptyBucket',
    tags,
    summary: 'Delete objects of a bucket for good, at most 1000 a request',
    params: Params,
    response: { 200: Type.Object({ removed: Type.Integer(), more: Type.Boolean() }) },
  }
  app.post('/storage/buckets/:bucketId/empty', { schema: empty }, (request) => {
    const { bucketId } = request.params
    return actions.run(request, { name: 'bucket.empty', target: `bucket ${bucketId}` }, () =>
      objects.empty(consoleRequest(request, 'storage.bucket.empty'), bucketId),
    )
  })

  const restore = {
    operationId: 'restoreStorageObjects',
    tags,
    summary: 'Undo a removal',
    body: Type.Object({ undo: Type.String() }),
    response: { 200: Type.Object({ restored: Type.Integer() }) },
  }
  app.post('/storage/restore', { schema: restore }, async (request) => {
    const { undo } = request.body
    const restored = await actions.run(request, { name: 'object.restore', target: `removal ${undo}` }, () =>
      objects.restore(consoleRequest(request, 'storage.object.upload'), undo),
    )
    return { restored }
  })
}

/** The audit log names one key, and how many there were. */
const describeKeys = (bucketId: string, keys: readonly string[]): string =>
  `${bucketId}/${keys[0] ?? ''}${keys.length > 1 ? ` and ${keys.length - 1} more` : ''}`
