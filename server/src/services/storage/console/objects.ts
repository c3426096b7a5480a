import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { isObject, type JsonObject } from '../../../ground/json/object.ts'
import type { OwnRequest } from '../buckets/buckets.ts'
import { storageError } from '../errors.ts'
import { isFolderPlaceholder } from '../names/names.ts'
import type { ObjectName } from '../names/object-name.ts'
import { parseCursor } from '../objects/list.ts'
import type { StoredObject } from '../objects/object.ts'
import type { StorageConsoleDeps } from './deps.ts'
import { createMove, findKeysBelow, type Move } from './move.ts'
import { previewOf } from './preview.ts'
import type { RecentRemovals } from './removals.ts'
import type { EntriesPage, ObjectFacts, StorageEntry } from './schemas.ts'
import { findNameStatement, findOwnerStatement, keepFilesStatement, restoreObjectsStatement } from './store.ts'

/** What is listed of a bucket. */
export interface EntriesQuery {
  /** A folder with its slash, and the beginning of names in it; empty for all of the bucket. */
  readonly prefix: string
  readonly sort: 'name' | 'updated_at'
  readonly order: 'asc' | 'desc'
  /** `next` of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

/** What was removed, and how that is undone. */
export interface Removed {
  readonly removed: number
  /** Null where nothing was removed. */
  readonly undo: string | null
  /** Whether objects are left to be removed: the request is to be repeated. */
  readonly more: boolean
}

/** The objects of buckets, as the console shows and changes them: all of them, past row-level security. */
export interface ConsoleObjects {
  list(request: OwnRequest, bucketId: string, query: EntriesQuery): Promise<EntriesPage>
  /** @throws NoSuchKey */
  facts(request: OwnRequest, name: ObjectName): Promise<ObjectFacts>
  /** @throws NoSuchKey */
  nameOf(request: OwnRequest, id: string): Promise<ObjectName>
  readonly move: Move
  /** Keys of objects, and of folders, which end with a slash. */
  remove(request: OwnRequest, bucketId: string, keys: readonly string[]): Promise<Removed>
  /** Removes objects of a bucket, without a way back. */
  empty(request: OwnRequest, bucketId: string): Promise<{ readonly removed: number; readonly more: boolean }>
  /** @returns the objects that are there again: not those whose key another has, or whose file is gone */
  restore(request: OwnRequest, undo: string): Promise<number>
  /** The URL by which anyone reads the object until then. @throws NoSuchKey */
  sign(request: OwnRequest, name: ObjectName, expiresInSeconds: number): Promise<string>
}

/** Objects that one request removes at most. */
const batchSize = 1000

/** @param deps the service’s own operations, and the database */
export function createConsoleObjects(deps: StorageConsoleDeps, removals: RecentRemovals): ConsoleObjects {
  const { storage, sql } = deps
  const keysBelow = async (request: OwnRequest, bucketId: string, folder: string) =>
    (await findKeysBelow(storage.sql, request, bucketId, { folder, after: '', limit: batchSize })).keys
  const resolve = async (
    request: OwnRequest,
    bucketId: string,
    keys: readonly string[],
  ): Promise<readonly string[]> => {
    const found = new Set(keys.filter((key) => !key.endsWith('/')))
    for (const folder of keys.filter((key) => key.endsWith('/')))
      if (found.size < batchSize) for (const key of await keysBelow(request, bucketId, folder)) found.add(key)
    return [...found]
  }
  return {
    async list(request, bucketId, { prefix, sort, order, after, limit }) {
      const cursor = after === undefined ? null : parseCursor(after)
      const page = await storage.objects.list(request, bucketId, {
        ...{ prefix, limit, column: sort, order },
        withDelimiter: true,
        after: cursor,
      })
      const entries = [...page.folders, ...page.objects].filter(isObject).map(entryOf)
      const shown = entries.filter(({ key }) => !isFolderPlaceholder(key))
      return {
        entries: sort === 'name' ? shown.toSorted(byKey(order)) : shown,
        next: page.hasNext ? (page.nextCursor ?? null) : null,
      }
    },
    async facts(request, name) {
      const object = await storage.reads.findOwn(request, request.caller, name)
      const bucket = await storage.buckets.find(request, name.bucketId)
      const { rows } = await storage.sql.asService<{ owner_id: string | null }>(request, {
        statement: findOwnerStatement(object.id),
        readOnly: true,
      })
      const publicUrl = bucket?.isPublic === true ? urlOf(deps.apiUrl, '/object/public', name) : null
      return renderFacts(object, { ownerId: rows[0]?.owner_id ?? null, publicUrl })
    },
    async nameOf(request, id) {
      const call = { statement: findNameStatement(id), readOnly: true }
      const { rows } = await storage.sql.asService<{ bucket_id: string; name: string }>(request, call)
      if (rows[0] === undefined) throw storageError('NoSuchKey')
      return { bucketId: rows[0].bucket_id, key: rows[0].name }
    },
    move: createMove(storage),
    async remove(request, bucketId, keys) {
      const wanted = await resolve(request, bucketId, keys)
      const { body, count } = await storage.objects.removeMany(request, bucketId, wanted.slice(0, batchSize))
      // A page of a folder may be all of it; the next request finds nothing then.
      const more = wanted.length >= batchSize && keys.some((key) => key.endsWith('/'))
      return { removed: count, undo: count === 0 ? null : removals.add(body), more }
    },
    async empty(request, bucketId) {
      const keys = await keysBelow(request, bucketId, '')
      const { count } = await storage.objects.removeMany(request, bucketId, keys)
      return { removed: count, more: keys.length === batchSize }
    },
    async restore(request, undo) {
      const body = removals.take(undo)
      if (body === undefined) throw storageError('NoSuchKey', { message: 'The time to undo this is over.' })
      const rows = restorable(body)
      const fileIds = rows.flatMap(({ version }) => (isFile(version) ? [version] : []))
      const { rows: kept } = await sql.query<{ file_id: string }>(keepFilesStatement(fileIds))
      const there = new Set(kept.map(({ file_id }) => file_id))
      const whole = rows.filter(({ version }) => !isFile(version) || there.has(version))
      const statement = restoreObjectsStatement(JSON.stringify(whole))
      return (await storage.sql.asService(request, { statement })).rowCount
    },
    async sign(request, name, expiresInSeconds) {
      await storage.reads.findOwn(request, request.caller, name)
      const token = storage.signer.signDownload(name, { expiresInSeconds })
      return `${urlOf(deps.apiUrl, '/object/sign', name)}?token=${token}`
    },
  }
}

interface RemovedRow extends JsonObject {
  readonly version: string | null
}

// The database's own JSON of `deleteObjectsStatement`.
const restorable = (body: string): readonly RemovedRow[] => JSON.parse(body) as RemovedRow[]

const isFile = (version: string | null): version is string => version !== null && isUuid(version)

const byKey =
  (order: 'asc' | 'desc') =>
  (a: StorageEntry, b: StorageEntry): number =>
    (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) * (order === 'asc' ? 1 : -1)

function entryOf({ id, name, updated_at, metadata }: JsonObject): StorageEntry {
  const { size, mimetype } = isObject(metadata) ? metadata : {}
  return {
    kind: id === null ? 'folder' : 'object',
    key: String(name),
    id: typeof id === 'string' ? id : null,
    sizeBytes: typeof size === 'number' && Number.isSafeInteger(size) ? size : null,
    mimeType: typeof mimetype === 'string' ? mimetype : null,
    updatedAt: typeof updated_at === 'string' ? updated_at : null,
  }
}

const renderFacts = (
  { id, bucketId, key, version, metadata, userMetadata, createdAt, updatedAt }: StoredObject,
  rest: Pick<ObjectFacts, 'ownerId' | 'publicUrl'>,
): ObjectFacts => ({
  ...{ id, bucketId, key, createdAt, updatedAt },
  sizeBytes: metadata.size ?? null,
  mimeType: metadata.mimetype ?? null,
  cacheControl: metadata.cacheControl ?? null,
  etag: metadata.eTag ?? null,
  userMetadata: userMetadata ?? {},
  hasFile: isFile(version),
  preview: previewOf(metadata.mimetype ?? null),
  ...rest,
})

/** Where an object is read with the application’s API. */
const urlOf = (apiUrl: string, route: string, { bucketId, key }: ObjectName): string =>
  `${apiUrl}/storage/v1${route}/${[bucketId, ...key.split('/')].map(encodeURIComponent).join('/')}`
