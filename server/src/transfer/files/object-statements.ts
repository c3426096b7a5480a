import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** The objects of a source with what their files do not tell: they are moved one after another, over several runs. */
export const createObjectsStatement = (): Statement =>
  compile(sql`
    create table if not exists clew_import.objects (
      source text not null,
      bucket_id text not null,
      name text not null,
      row jsonb not null,
      primary key (source, bucket_id, name)
    )`)

/** Forgets the objects of an earlier run, whose source may have changed since. */
export const deleteObjectsStatement = (source: string): Statement =>
  compile(sql`delete from clew_import.objects where source = ${source}`)

/** Takes staged rows of `storage.objects` over; earlier versions of an object and markers of deleted ones are left out. */
export const keepObjectsStatement = (source: string): Statement =>
  compile(sql`
    insert into clew_import.objects (source, bucket_id, name, row)
    select ${source}, r.row ->> 'bucket_id', r.row ->> 'name', r.row
    from (select to_jsonb(c) as row from pg_temp.clew_rows c) r
    where r.row ->> 'bucket_id' is not null and r.row ->> 'name' is not null and r.row ->> 'archived_at' is null
      and coalesce(r.row ->> 'is_delete_marker', 'f') not in ('t', 'true')
    on conflict (source, bucket_id, name) do update set row = excluded.row`)

/** Inserts the rows of objects that are not there: until their files are, they have none. */
export const insertObjectsStatement = (source: string): Statement =>
  compile(sql`
    insert into storage.objects
      (id, bucket_id, name, owner, owner_id, created_at, updated_at, last_accessed_at, metadata, user_metadata)
    select (s.row ->> 'id')::uuid, s.bucket_id, s.name, (s.row ->> 'owner')::uuid, s.row ->> 'owner_id',
      (s.row ->> 'created_at')::timestamptz, (s.row ->> 'updated_at')::timestamptz,
      (s.row ->> 'last_accessed_at')::timestamptz, (s.row ->> 'metadata')::jsonb, (s.row ->> 'user_metadata')::jsonb
    from clew_import.objects s
    where s.source = ${source}
    on conflict do nothing`)

/** An object whose file is to be moved. */
export interface PendingObject {
  readonly bucket_id: string
  readonly name: string
  readonly type: string | null
  readonly cache_control: string | null
}

/** The source has a file: a seed may insert rows without. It is not here, or another is. */
const hasFile = sql`coalesce(s.row ->> 'version', s.row ->> 'metadata') is not null`
const isPending = sql`${hasFile} and (
  o.version is null
  or o.metadata ->> 'size' is distinct from (s.row ->> 'metadata')::jsonb ->> 'size'
  or o.metadata ->> 'eTag' is distinct from (s.row ->> 'metadata')::jsonb ->> 'eTag'
)`

/** The next objects whose files are to be moved, behind `after`. */
export const selectPendingStatement = (
  source: string,
  after: Pick<PendingObject, 'bucket_id' | 'name'>,
  limit: number,
): Statement =>
  compile(sql`
    select s.bucket_id, s.name, (s.row ->> 'metadata')::jsonb ->> 'mimetype' as type,
      (s.row ->> 'metadata')::jsonb ->> 'cacheControl' as cache_control
    from clew_import.objects s
    left join storage.objects o on o.bucket_id = s.bucket_id and o.name = s.name
    where s.source = ${source} and (s.bucket_id, s.name) > (${after.bucket_id}, ${after.name}) and ${isPending}
    order by s.bucket_id, s.name
    limit ${typed(limit, 'bigint')}`)

/** How many files a source has, and how many of them are to be moved. */
export const countObjectsStatement = (source: string): Statement =>
  compile(sql`
    select count(*) filter (where ${hasFile})::int as objects, count(*) filter (where ${isPending})::int as pending
    from clew_import.objects s
    left join storage.objects o on o.bucket_id = s.bucket_id and o.name = s.name
    where s.source = ${source}`)

/**
 * Gives an object whose file was moved what it had in the source: id, owner, times and metadata. Metadata of other bytes
 * than those that came are left: the source has changed in between.
 */
export const restoreObjectStatement = (source: string, { bucket_id: bucket, name }: PendingObject): Statement =>
  compile(sql`
    update storage.objects o
    set id = coalesce((s.row ->> 'id')::uuid, o.id), owner = (s.row ->> 'owner')::uuid, owner_id = s.row ->> 'owner_id',
      created_at = (s.row ->> 'created_at')::timestamptz, updated_at = (s.row ->> 'updated_at')::timestamptz,
      last_accessed_at = (s.row ->> 'last_accessed_at')::timestamptz,
      user_metadata = (s.row ->> 'user_metadata')::jsonb,
      metadata = case when o.metadata ->> 'size' = (s.row ->> 'metadata')::jsonb ->> 'size'
        then (s.row ->> 'metadata')::jsonb else o.metadata end
    from clew_import.objects s
    where s.source = ${source} and s.bucket_id = ${bucket} and s.name = ${name}
      and o.bucket_id = s.bucket_id and o.name = s.name`)

/** How many objects a source has. */
export const countKeptStatement = (source: string): Statement =>
  compile(sql`select count(*)::int as count from clew_import.objects where source = ${source}`)
