import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../../ground/sql/sql.ts'
import { isoTime } from '../sql/timestamp.ts'

/** JSON of every bucket in column `body`: a `BucketSummary` each, without its figures. */
export const selectBucketSummariesStatement = (): Statement =>
  compile(sql`
    select coalesce(json_agg(json_build_object(
        'id', b.id, 'public', coalesce(b.public, false), 'fileSizeLimit', b.file_size_limit,
        'allowedMimeTypes', coalesce(b.allowed_mime_types, '{}'), 'createdAt', ${isoTime(sql`b.created_at`)}
      ) order by b.id), '[]')::text as body
    from storage.buckets b`)

/** The number and the bytes of the objects of each bucket that has some, as JSON in column `body`. */
export const selectBucketFiguresStatement = (): Statement =>
  compile(sql`
    select coalesce(json_agg(json_build_object(
        'id', o.bucket_id, 'objects', o.objects, 'sizeBytes', coalesce(o.size, 0))), '[]')::text as body
    from (
      select bucket_id, count(*) as objects,
        sum(case when metadata ->> 'size' ~ '^[0-9]{1,15}$' then (metadata ->> 'size')::bigint end)::bigint as size
      from storage.objects
      group by bucket_id
    ) o`)

/** Which keys of a folder are wanted. */
export interface KeysBelow {
  readonly folder: string
  /** Only keys after this one. */
  readonly after: string
  readonly limit: number
}

/** The keys below a folder as JSON in column `body`, and in `total` how many there are, whatever the limit. */
export const selectKeysBelowStatement = (bucketId: string, { folder, after, limit }: KeysBelow): Statement =>
  compile(sql`
    with below as (
      select name
      from storage.objects
      where bucket_id = ${bucketId}
        and starts_with(name collate "C", ${folder})
        and name collate "C" > ${after}
    )
    select
      (select coalesce(json_agg(k.name), '[]')
       from (select name from below order by name collate "C" limit ${typed(limit, 'int')}) k)::text as body,
      (select count(*) from below)::text as total`)

/** The bucket and the key of an object. */
export const findNameStatement = (id: string): Statement =>
  compile(sql`select bucket_id, name from storage.objects where id = ${typed(id, 'uuid')}`)

/** The names of all buckets as JSON in column `body`. */
export const selectBucketNamesStatement = (): Statement =>
  compile(sql`select coalesce(json_agg(id order by id), '[]')::text as body from storage.buckets`)

/** The user who uploaded an object. */
export const findOwnerStatement = (id: string): Statement =>
  compile(sql`select owner_id from storage.objects where id = ${typed(id, 'uuid')}`)

/** Takes files off the list of those to be removed; a row for each that was still on it. */
export const keepFilesStatement = (fileIds: readonly string[]): Statement =>
  compile(sql`delete from clew_storage.removals where file_id = any (${typed(fileIds, 'uuid[]')}) returning file_id`)

/**
 * Inserts rows as they were before they were deleted, where no other object has their key by now.
 *
 * @param rows JSON that a deletion returned
 */
export const restoreObjectsStatement = (rows: string): Statement =>
  compile(sql`
    insert into storage.objects (
      id, bucket_id, name, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata
    )
    select r.id, r.bucket_id, r.name, nullif(r.owner, '')::uuid, r.owner_id, r.version, r.created_at, r.updated_at,
      r.last_accessed_at, r.metadata, r.user_metadata
    from jsonb_to_recordset(${typed(rows, 'jsonb')}) as r (
      id uuid, bucket_id text, name text, owner text, owner_id text, version text, created_at timestamptz,
      updated_at timestamptz, last_accessed_at timestamptz, metadata jsonb, user_metadata jsonb
    )
    on conflict do nothing
    returning id`)

/** JSON of the policies of buckets and objects in column `body`: a `StoragePolicy` each. */
export const selectPoliciesStatement = (): Statement =>
  compile(sql`
    select coalesce(json_agg(json_build_object(
        'name', p.policyname, 'table', p.tablename, 'command', lower(p.cmd), 'roles', p.roles,
        'permissive', p.permissive = 'PERMISSIVE', 'using', p.qual, 'check', p.with_check
      ) order by p.tablename desc, p.policyname), '[]')::text as body
    from pg_catalog.pg_policies p
    where p.schemaname = 'storage' and p.tablename in ('objects', 'buckets')`)

export const dropPolicyStatement = (table: 'objects' | 'buckets', name: string): Statement =>
  compile(sql`drop policy ${identifier(name)} on ${identifier('storage', table)}`)
