import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, empty, identifier, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { escapeLike } from '../sql/like.ts'
import { isoTime } from '../sql/timestamp.ts'

/** A bucket as the service reads it. */
export type BucketRow = Readonly<
  Record<'id' | 'public', string> & Record<'file_size_limit' | 'allowed_mime_types', string | null>
>

/** The values of a bucket's columns that a client may set; what is absent is unchanged. */
export interface BucketValues {
  readonly public?: boolean
  readonly fileSizeLimit?: number | null
  readonly allowedMimeTypes?: readonly string[] | null
}

/** A bucket to be inserted. */
export interface NewBucket extends BucketValues {
  readonly id: string
  readonly name: string
  /** `sub` of the caller. */
  readonly owner: string | null
}

/** The columns by which `GET /bucket` sorts. */
export const sortColumns = ['id', 'name', 'created_at', 'updated_at'] as const

export interface BucketListOptions {
  readonly limit?: number
  readonly offset?: number
  readonly sortColumn?: (typeof sortColumns)[number]
  readonly sortOrder?: 'asc' | 'desc'
  /** A part of the name. */
  readonly search?: string
}

const commonMembers = sql`
  'id', b.id, 'name', b.name, 'owner', coalesce(b.owner::text, ''), 'public', b.public,
  'file_size_limit', b.file_size_limit, 'allowed_mime_types', b.allowed_mime_types,
  'created_at', ${isoTime(sql`b.created_at`)}, 'updated_at', ${isoTime(sql`b.updated_at`)}`

/** The JSON object of one bucket, and of one of a list: the reference says more of that (storage §3). */
const bucketJson = sql`json_build_object(${commonMembers})`
const listedBucketJson = sql`json_build_object(${commonMembers}, 'owner_id', b.owner_id, 'type', b.type)`

/** One bucket as JSON in column `body`; no row where it is not there, or not visible. */
export const selectBucketStatement = (id: string): Statement =>
  compile(sql`select ${bucketJson}::text as body from storage.buckets b where b.id = ${id}`)

/** What an upload or a download has to know of a bucket. */
export const findBucketStatement = (id: string): Statement =>
  compile(sql`
    select b.id, coalesce(b.public, false)::text as public, b.file_size_limit::text as file_size_limit,
      to_json(b.allowed_mime_types)::text as allowed_mime_types
    from storage.buckets b
    where b.id = ${id}`)

/** All visible buckets as one JSON array in column `body`. */
export function selectBucketsStatement(options: BucketListOptions): Statement {
  const { limit, offset, sortColumn = 'name', sortOrder = 'asc', search } = options
  const order = sortOrder === 'desc' ? constant('desc') : constant('asc')
  const column = identifier('b', sortColumn)
  const matching = search === undefined ? empty : sql`where b.name ilike ${`%${escapeLike(search)}%`}`
  const page: SqlFragment = sql`
    select b.*
    from storage.buckets b
    ${matching}
    order by ${column} ${order}, b.id ${order}
    limit ${typed(limit ?? null, 'bigint')}
    offset ${typed(offset ?? 0, 'bigint')}`
  return compile(sql`
    select coalesce(json_agg(${listedBucketJson} order by ${column} ${order}, b.id ${order}), '[]')::text as body
    from (${page}) b`)
}

/** Inserts a bucket, without reading it. */
export const insertBucketStatement = ({ id, name, owner, ...values }: NewBucket): Statement =>
  compile(sql`
    insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
    values (
      ${id}, ${name}, ${typed(uuidOf(owner), 'uuid')}, ${owner}, ${values.public ?? false},
      ${typed(values.fileSizeLimit ?? null, 'bigint')}, ${typed(values.allowedMimeTypes ?? null, 'text[]')}
    )`)

/** Changes the columns that are given; its row tells that the bucket is visible and may be changed. */
export function updateBucketStatement(id: string, values: BucketValues): Statement {
  const changes = [
    ...(values.public === undefined ? [] : [sql`public = ${values.public}`]),
    ...(values.fileSizeLimit === undefined ? [] : [sql`file_size_limit = ${typed(values.fileSizeLimit, 'bigint')}`]),
    ...(values.allowedMimeTypes === undefined
      ? []
      : [sql`allowed_mime_types = ${typed(values.allowedMimeTypes, 'text[]')}`]),
  ]
  return compile(sql`update storage.buckets set ${join(changes)} where id = ${id} returning id`)
}

/** Deletes a bucket; its row tells that it was visible and deleted. */
export const deleteBucketStatement = (id: string): Statement =>
  compile(sql`delete from storage.buckets where id = ${id} returning id`)

/** One row while an object, or an upload that is not complete, is in the bucket. */
export const bucketContentStatement = (id: string): Statement =>
  compile(sql`
    select
      exists (select from storage.objects where bucket_id = ${id})::text as objects,
      exists (select from storage.s3_multipart_uploads where bucket_id = ${id})::text as uploads`)

/** The owner for columns of type uuid, which not every `sub` is. */
export const uuidOf = (owner: string | null): string | null => (owner !== null && isUuid(owner) ? owner : null)
