import type { JsonObject } from '../../../ground/json/object.ts'
import type { Buckets, OwnRequest } from '../buckets/buckets.ts'
import { checkMimeType } from '../buckets/mime-types.ts'
import { storageError } from '../errors.ts'
import type { FileStore } from '../files/file-store.ts'
import { isStorageError } from '../http/error-response.ts'
import { checkKey } from '../names/names.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { type ListPage, toPage } from './list.ts'
import { type ListOptions, listStatement, type SearchOptions, searchStatement } from './list-store.ts'
import type { Reads } from './read.ts'
import type { Uploaded } from './received.ts'
import {
  deleteObjectsStatement,
  findObjectStatement,
  lockStatement,
  moveObjectStatement,
  visibleKeysStatement,
} from './store.ts'
import type { Uploads } from './upload.ts'

/** What a copy changes of its source. */
export interface CopyOptions {
  /** `sub` of the caller. */
  readonly owner: string | null
  readonly upsert: boolean
  /** The type and cache control of the copy where they differ. */
  readonly mimeType?: string
  readonly cacheControl?: string
  /** What the client attaches; absent for the source's own. */
  readonly userMetadata?: JsonObject | null
}

/** Lists, deletes, moves and copies objects with the rights of the caller (storage §5, storage §8). */
export interface ManagedObjects {
  /** JSON of one level, and the number of its entries. */
  search(request: OwnRequest, bucketId: string, options: SearchOptions): Promise<Counted>
  list(request: OwnRequest, bucketId: string, options: ListOptions): Promise<ListPage>
  /** The keys that the caller may select. */
  visible(request: OwnRequest, bucketId: string, keys: readonly string[]): Promise<ReadonlySet<string>>
  /** @throws NoSuchKey, AccessDenied for one that is there and may not be deleted */
  remove(request: OwnRequest, name: ObjectName): Promise<void>
  /** JSON of those deleted; what is absent, or hidden, is left out. */
  removeMany(request: OwnRequest, bucketId: string, keys: readonly string[]): Promise<Counted>
  /** The file stays as it is. @returns the id of the row. @throws NoSuchKey, ResourceAlreadyExists, AccessDenied */
  move(request: OwnRequest, from: ObjectName, to: ObjectName): Promise<string>
  /** @throws NoSuchKey, NoSuchBucket, ResourceAlreadyExists, AccessDenied */
  copy(request: OwnRequest, from: ObjectName, to: ObjectName, options: CopyOptions): Promise<Uploaded>
}

/** JSON made by the database, and the rows in it. */
export interface Counted {
  readonly body: string
  readonly count: number
}

/** The dependencies of `createManagedObjects`. */
export interface ManagedObjectsDeps {
  readonly sql: StorageSql
  readonly files: Pick<FileStore, 'copy'>
  readonly buckets: Pick<Buckets, 'find'>
  readonly reads: Reads
  readonly uploads: Uploads
  readonly newVersion: () => string
}

/** Rows that a transaction deletes at most. */
const batchSize = 500
const moveLockMs = 5_000

/** @param deps statements, files and the other operations on objects */
export function createManagedObjects(deps: ManagedObjectsDeps): ManagedObjects {
  const { sql } = deps
  const removeBatch = async (request: OwnRequest, bucketId: string, keys: readonly string[]): Promise<Counted> => {
    const statement = deleteObjectsStatement(bucketId, keys)
    const { rows } = await sql.asCaller<{ body: string; count: string }>(request, request.caller, { statement })
    return countedOf(rows)
  }
  return {
    async search(request, bucketId, options) {
      const call = { statement: searchStatement(bucketId, options), readOnly: true }
      return countedOf((await sql.asCaller<{ body: string; count: string }>(request, request.caller, call)).rows)
    },
    async list(request, bucketId, options) {
      const call = { statement: listStatement(bucketId, { ...options, limit: options.limit + 1 }), readOnly: true }
      const { rows } = await sql.asCaller<{ body: string }>(request, request.caller, call)
      return toPage(rows[0]?.body ?? '[]', options.limit, options)
    },
    async visible(request, bucketId, keys) {
      const call = { statement: visibleKeysStatement(bucketId, keys), readOnly: true }
      const { rows } = await sql.asCaller<{ body: string }>(request, request.caller, call)
      // The database's own JSON of names.
      return new Set(JSON.parse(rows[0]?.body ?? '[]') as string[])
    },
    async remove(request, name) {
      const { count } = await removeBatch(request, name.bucketId, [name.key])
      if (count > 0) return
      const found = await sql.asService(request, { statement: findObjectStatement(name), readOnly: true })
      throw storageError(found.rowCount === 0 ? 'NoSuchKey' : 'AccessDenied')
    },
    async removeMany(request, bucketId, keys) {
      const bodies: string[] = []
      let count = 0
      for (let at = 0; at < keys.length; at += batchSize) {
        const batch = await removeBatch(request, bucketId, keys.slice(at, at + batchSize))
        if (batch.count > 0) bodies.push(batch.body.slice(1, -1))
        count += batch.count
      }
      return { body: `[${bodies.join(',')}]`, count }
    },
    move: (request, from, to) => move(deps, request, from, to),
    copy: (request, from, to, options) =>
      copy(deps, request, from, to, options).catch((error: unknown) => {
        // An upload's own code is for uploads (storage §1).
        const isTaken = isStorageError(error) && error.code === 'KeyAlreadyExists'
        throw isTaken ? storageError('ResourceAlreadyExists', { cause: error }) : error
      }),
  }
}

const countedOf = (rows: readonly { readonly body: string; readonly count: string }[]): Counted => ({
  body: rows[0]?.body ?? '[]',
  count: Number(rows[0]?.count ?? 0),
})

async function move(
  { sql, reads, buckets }: ManagedObjectsDeps,
  request: OwnRequest,
  from: ObjectName,
  to: ObjectName,
): Promise<string> {
  checkKey(to.key)
  const source = await reads.findOwn(request, request.caller, from)
  const statement = moveObjectStatement(from, to, request.caller.subject)
  if (from.bucketId !== to.bucketId && (await buckets.find(request, to.bucketId)) === null)
    throw storageError('NoSuchBucket')
  const tested = await sql.test(request, request.caller, { statement })
  if (tested.rowCount === 0)
    throw storageError('AccessDenied', { message: 'new row violates row-level security policy' })
  if (from.bucketId === to.bucketId && from.key === to.key) return source.id
  const { rows } = await sql.asService<{ id: string }>(request, {
    before: lockStatement(to),
    statement,
    lockTimeoutMs: moveLockMs,
  })
  if (rows[0] === undefined) throw storageError('NoSuchKey')
  return rows[0].id
}

async function copy(
  { files, buckets, reads, uploads, newVersion }: ManagedObjectsDeps,
  request: OwnRequest,
  from: ObjectName,
  to: ObjectName,
  options: CopyOptions,
): Promise<Uploaded> {
  checkKey(to.key)
  const { caller } = request
  const source = await reads.findOwn(request, caller, from)
  const bucket = await buckets.find(request, to.bucketId)
  if (bucket === null) throw storageError('NoSuchBucket')
  const { metadata } = source
  const facts = {
    mimeType: options.mimeType ?? metadata.mimetype ?? 'application/octet-stream',
    cacheControl: options.cacheControl ?? metadata.cacheControl ?? 'no-cache',
    userMetadata: options.userMetadata === undefined ? source.userMetadata : options.userMetadata,
    robotsTag: metadata.xRobotsTag ?? null,
    declaredBytes: metadata.size ?? null,
  }
  if (from.bucketId !== to.bucketId) {
    checkMimeType(facts.mimeType, bucket.allowedMimeTypes)
    if (bucket.fileSizeLimit !== null && (metadata.size ?? 0) > bucket.fileSizeLimit)
      throw storageError('EntityTooLarge')
  }
  await uploads.test(request, caller, to, facts, options)
  const version = newVersion()
  const file = await files.copy(reads.fileOf(source), version)
  return uploads.commit(request, to, { version, file }, facts, options)
}
