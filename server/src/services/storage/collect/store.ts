import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A removal that is due. */
export interface DueRemoval {
  /** A bigint, as text. */
  readonly id: string
  readonly fileId: string
  /** Whether a row names the file again: it stays then. */
  readonly isUsed: boolean
}

/** Whether an object, an upload or a part names a file. */
const isNamed = (id: SqlFragment): SqlFragment => sql`(
  exists (select from storage.objects o where o.version = ${id}::text)
  or exists (select from clew_storage.resumable_uploads u where u.id = ${id})
  or exists (select from storage.s3_multipart_uploads m where m.version = ${id}::text)
  or exists (select from storage.s3_multipart_uploads_parts p where p.version = ${id}::text or p.id = ${id})
)`

/** Locks removals that are due until the transaction ends. */
export const claimRemovalsStatement = (limit: number): Statement =>
  compile(sql`
    select r.id::text as id, r.file_id::text as "fileId", ${isNamed(sql`r.file_id`)} as "isUsed"
    from clew_storage.removals r
    where r.due_at <= now()
    order by r.due_at
    limit ${typed(limit, 'int')}
    for update of r skip locked`)

/** Ends removals. */
export const deleteRemovalsStatement = (ids: readonly string[]): Statement =>
  compile(sql`delete from clew_storage.removals where id = any (${typed(ids, 'bigint[]')})`)

/** Removals that wait, due or not. */
export const countRemovalsStatement = (): Statement =>
  compile(sql`select count(*)::int as count from clew_storage.removals`)

/** The files of a list that nothing names. */
export const unusedFilesStatement = (ids: readonly string[]): Statement =>
  compile(sql`
    select f.id::text as id
    from unnest(${typed(ids, 'uuid[]')}) as f (id)
    where not ${isNamed(sql`f.id`)}
      and not exists (select from clew_storage.removals r where r.file_id = f.id)`)

/** Queues files for their removal, unless something names them by then. */
export const queueRemovalsStatement = (ids: readonly string[], dueAt: Date): Statement =>
  compile(sql`
    insert into clew_storage.removals (file_id, due_at)
    select f.id, ${dueAt}
    from unnest(${typed(ids, 'uuid[]')}) as f (id)`)

/** Objects whose files are in a list and that were not written since a time, in column `count`. */
export const countNamedStatement = (ids: readonly string[], before: Date): Statement =>
  compile(sql`
    select count(*)::int as count
    from storage.objects
    where version = any (${typed(ids, 'text[]')}) and coalesce(updated_at, created_at) < ${before}`)

/** Objects that must have a file and were not written since a time, in column `count`; rows that SQL inserted have none. */
export const countWithFileStatement = (before: Date): Statement =>
  compile(sql`
    select count(*)::int as count
    from storage.objects
    where version ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and coalesce(updated_at, created_at) < ${before}`)

/** Ends resumable uploads that took too long; their files are removed like those of deleted objects. */
export const expireUploadsStatement = (): Statement =>
  compile(sql`
    with expired as (
      delete from clew_storage.resumable_uploads
      where expires_at <= now()
      returning id
    )
    insert into clew_storage.removals (file_id, due_at)
    select id, now()
    from expired`)

/** Ends multipart uploads that began before a time; `version` of each of their parts. */
export const expireMultipartStatement = (before: Date): Statement =>
  compile(sql`
    with expired as (
      delete from storage.s3_multipart_uploads
      where created_at < ${before}
      returning id
    )
    select p.version
    from expired
    join storage.s3_multipart_uploads_parts p on p.upload_id = expired.id`)

/** A bucket to be emptied. */
export interface EmptiedBucket {
  readonly bucketId: string
  /** ISO 8601: objects that were created later stay. */
  readonly before: string
}

/** Remembers that a bucket is to be emptied of the objects of now. */
export const insertEmptiedStatement = (bucketId: string): Statement =>
  compile(sql`
    insert into clew_storage.emptied_buckets (bucket_id, before)
    values (${bucketId}, clock_timestamp())
    on conflict (bucket_id) do update set before = excluded.before`)

export const selectEmptiedStatement = (): Statement =>
  compile(sql`select bucket_id as "bucketId", before::text as before from clew_storage.emptied_buckets`)

/** Forgets a bucket that is empty, unless it was asked for again meanwhile. */
export const deleteEmptiedStatement = ({ bucketId, before }: EmptiedBucket): Statement =>
  compile(sql`
    delete from clew_storage.emptied_buckets
    where bucket_id = ${bucketId} and before = ${typed(before, 'timestamptz')}`)

/** Deletes some objects of a bucket that is being emptied. */
export const deleteEmptiedObjectsStatement = ({ bucketId, before }: EmptiedBucket, limit: number): Statement =>
  compile(sql`
    delete from storage.objects
    where id in (
      select id
      from storage.objects
      where bucket_id = ${bucketId} and created_at <= ${typed(before, 'timestamptz')}
      limit ${typed(limit, 'int')}
    )`)

/** One row where the caller sees an object of a bucket. */
export const anyObjectStatement = (bucketId: string): Statement =>
  compile(sql`select id from storage.objects where bucket_id = ${bucketId} limit 1`)

/** The objects of a bucket, counted up to a number. */
export const countObjectsStatement = (bucketId: string, most: number): Statement =>
  compile(sql`
    select count(*)::text as count
    from (select from storage.objects where bucket_id = ${bucketId} limit ${typed(most, 'int')}) o`)
