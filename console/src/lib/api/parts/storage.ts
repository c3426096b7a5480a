import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from '../client.ts'

/** The requests of storage. */
export const storageApi = {
  buckets: (options?: Cancel) => bodyOf(client.GET('/console/api/storage/buckets', cancel(options))),
  bucketNames: (options?: Cancel) => bodyOf(client.GET('/console/api/storage/bucket-names', cancel(options))),
  createBucket: (body: BodyOf<'createBucket'>) => bodyOf(client.POST('/console/api/storage/buckets', { body })),
  changeBucket: (bucketId: string, body: BodyOf<'changeBucket'>) =>
    bodyOf(client.PATCH('/console/api/storage/buckets/{bucketId}', { params: { path: { bucketId } }, body })),
  emptyBucket: (bucketId: string) =>
    bodyOf(client.POST('/console/api/storage/buckets/{bucketId}/empty', { params: { path: { bucketId } } })),
  removeBucket: (bucketId: string) =>
    bodyOf(client.DELETE('/console/api/storage/buckets/{bucketId}', { params: { path: { bucketId } } })),
  storageEntries: (bucketId: string, query: QueryOf<'storageEntries'>, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/storage/buckets/{bucketId}/entries', {
        params: { path: { bucketId }, query },
        ...cancel(options),
      }),
    ),
  storageObject: (bucketId: string, key: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/storage/buckets/{bucketId}/object', {
        params: { path: { bucketId }, query: { key } },
        ...cancel(options),
      }),
    ),
  storageObjectName: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/storage/objects/{id}', { params: { path: { id } }, ...cancel(options) })),
  signStorageObject: (bucketId: string, body: BodyOf<'signStorageObject'>) =>
    bodyOf(client.POST('/console/api/storage/buckets/{bucketId}/sign', { params: { path: { bucketId } }, body })),
  moveStorageObjects: (bucketId: string, body: BodyOf<'moveStorageObjects'>) =>
    bodyOf(client.POST('/console/api/storage/buckets/{bucketId}/move', { params: { path: { bucketId } }, body })),
  removeStorageObjects: (bucketId: string, body: BodyOf<'removeStorageObjects'>) =>
    bodyOf(client.POST('/console/api/storage/buckets/{bucketId}/remove', { params: { path: { bucketId } }, body })),
  restoreStorageObjects: (body: BodyOf<'restoreStorageObjects'>) =>
    bodyOf(client.POST('/console/api/storage/restore', { body })),
  storagePolicies: (options?: Cancel) => bodyOf(client.GET('/console/api/storage/policies', cancel(options))),
  storagePolicyTemplates: (bucketId: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/storage/policies/templates', { params: { query: { bucketId } }, ...cancel(options) }),
    ),
  applyStoragePolicy: (body: BodyOf<'applyStoragePolicy'>) =>
    bodyOf(client.POST('/console/api/storage/policies', { body })),
  dropStoragePolicy: (table: 'objects' | 'buckets', name: string) =>
    bodyOf(client.DELETE('/console/api/storage/policies/{table}/{name}', { params: { path: { table, name } } })),
}
