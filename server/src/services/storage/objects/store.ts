import type { JsonObject } from '../../../ground/json/object.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { uuidOf } from '../buckets/store.ts'
import type { ObjectName } from '../names/object-name.ts'
import { isoTime } from '../sql/timestamp.ts'
import type { ObjectMetadata } from './object.ts'

/** A row to be written. */
export interface NewObject extends ObjectName {
  /** `sub` of the caller; null without one. */
  readonly owner: string | null
  readonly version: string
  readonly metadata: ObjectMetadata
  readonly userMetadata: JsonObject | null
}

/** The JSON object of a row `o` (storage §8). */
const objectJson = sql`json_build_object(
  'name', o.name, 'bucket_id', o.bucket_id, 'owner', coalesce(o.owner::text, ''), 'owner_id', o.owner_id,
  'version', o.version, 'id', o.id, 'updated_at', ${isoTime(sql`o.updated_at`)},
  'created_at', ${isoTime(sql`o.created_at`)}, 'last_accessed_at', ${isoTime(sql`o.last_accessed_at`)},
  'metadata', o.metadata, 'user_metadata', o.user_metadata
)`

const objectColumns = sql`
  o.id, o.bucket_id, o.name, o.version, o.metadata::text as metadata, o.user_metadata::text as user_metadata,
  ${isoTime(sql`o.created_at`)} as created_at, ${isoTime(sql`o.updated_at`)} as updated_at`

/** One object. Its columns are `ObjectRow`. */
export const findObjectStatement = ({ bucketId, key }: ObjectName): Statement =>
  compile(sql`
    select ${objectColumns}
    from storage.objects o
    where o.bucket_id = ${bucketId} and o.name = ${key}`)

/** A bucket, whether it is `public`, and one object of it, whose columns are null where it is not there. */
export const findInBucketStatement = ({ bucketId, key }: ObjectName): Statement =>
  compile(sql`
    select coalesce(b.public, false)::text as public, ${objectColumns}
    from storage.buckets b
    left join storage.objects o on o.bucket_id = b.id and o.name = ${key}
    where b.id = ${bucketId}`)

/** The keys of a list that are visible. */
export const visibleKeysStatement = (bucketId: string, keys: readonly string[]): Statement =>
  compile(sql`
    select coalesce(json_agg(o.name), '[]')::text as body
    from storage.objects o
    where o.bucket_id = ${bucketId} and o.name = any (${typed(keys, 'text[]')})`)

/** Any number; a key of advisory locks has 64 bits, so that two objects rarely share one. */
const lockSeed = 7_236_519_002

/** How long a write waits for another of the same object. */
export const lockTimeoutMs = 5_000

/** Waits until no other transaction writes this object. The lock ends with the transaction. */
export const lockStatement = ({ bucketId, key }: ObjectName): Statement =>
  compile(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${bucketId}/${key}`}, ${typed(lockSeed, 'bigint')}))::text`,
  )

const columns = sql`bucket_id, name, owner, owner_id, version, metadata, user_metadata`
const valuesOf = ({ bucketId, key, owner, version, metadata, userMetadata }: NewObject) => sql`
  ${bucketId}, ${key}, ${typed(uuidOf(owner), 'uuid')}, ${owner}, ${version},
  ${typed(stringifyWellFormed(metadata), 'jsonb')}, ${typed(userMetadata === null ? null : stringifyWellFormed(userMetadata), 'jsonb')}`

const replaceAll = sql`
  on conflict (bucket_id, name) do update
  set version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
    owner = excluded.owner, owner_id = excluded.owner_id`

/** Inserts a row without reading one: rights to insert are enough. */
export const insertObjectStatement = (object: NewObject): Statement =>
  compile(sql`insert into storage.objects (${columns}) values (${valuesOf(object)})`)

/** Whether there is an object of this name, in column `taken`. */
export const objectExistsStatement = ({ bucketId, key }: ObjectName): Statement =>
  compile(sql`
    select exists (select from storage.objects where bucket_id = ${bucketId} and name = ${key})::text as taken`)

/** Where the values of a new row come from: themselves, or a bucket that takes a file of their size and any type. */
export type ObjectSource = 'values' | 'open bucket'

const sourceOf = (object: NewObject, source: ObjectSource): SqlFragment =>
  source === 'values'
    ? sql`values (${valuesOf(object)})`
    : sql`
      select ${valuesOf(object)}
      from storage.buckets b
      where b.id = ${object.bucketId} and b.allowed_mime_types is null
        and coalesce(b.file_size_limit >= ${typed(object.metadata.size ?? 0, 'bigint')}, true)`

/** An earlier try has stored this version. */
const confirm = sql`
  on conflict (bucket_id, name) do update
  set version = excluded.version
  where o.version = excluded.version`

/** Inserts a row, or with `upsert` replaces the one that is there; no row where there is another, or none in the source. */
export const saveObjectStatement = (
  object: NewObject,
  { upsert, source }: { readonly upsert: boolean; readonly source: ObjectSource },
): Statement =>
  compile(sql`
    insert into storage.objects as o (${columns})
    ${sourceOf(object, source)}
    ${upsert ? replaceAll : confirm}
    returning o.id, ${objectJson}::text as body`)

/** The triggers of `0001_schema.sql` and `0004_truncate.sql`. */
const ownTriggers = ['update_objects_updated_at', 'protect_objects_delete', 'queue_file_removal', 'queue_file_removals']

/**
 * Inserts a row, or with `upsert` replaces the one that is there, as an upload's own caller. No row is written where the
 * application has triggers on the table: what they do of an upload, they do with the rights of the service.
 */
export const saveOwnObjectStatement = (id: string, object: NewObject, upsert: boolean): Statement =>
  compile(sql`
    insert into storage.objects as o (id, ${columns})
    select ${typed(id, 'uuid')}, ${valuesOf(object)}
    where not exists (
      select
      from pg_catalog.pg_trigger t
      where t.tgrelid = 'storage.objects'::regclass and not t.tgisinternal
        and t.tgname <> all (${typed(ownTriggers, 'text[]')})
    )
    ${upsert ? sql`${replaceAll} returning o.id` : sql``}`)

/** Inserts a row or replaces the one that is there. */
export const upsertObjectStatement = (object: NewObject): Statement =>
  saveObjectStatement(object, { upsert: true, source: 'values' })

/** Deletes objects; JSON of those deleted in column `body`, their number in `count`. */
export const deleteObjectsStatement = (bucketId: string, keys: readonly string[]): Statement =>
  compile(sql`
    with o as (
      delete from storage.objects
      where bucket_id = ${bucketId} and name = any (${typed(keys, 'text[]')})
      returning *
    )
    select coalesce(json_agg(${objectJson}), '[]')::text as body, count(*)::text as count
    from o`)

/** Gives an object another name; no row where it is not there, or not visible. */
export const moveObjectStatement = (from: ObjectName, to: ObjectName, owner: string | null): Statement =>
  compile(sql`
    update storage.objects
    set bucket_id = ${to.bucketId}, name = ${to.key}, owner = coalesce(${typed(uuidOf(owner), 'uuid')}, owner),
      owner_id = coalesce(${typed(owner, 'text')}, owner_id)
    where bucket_id = ${from.bucketId} and name = ${from.key}
    returning id`)
