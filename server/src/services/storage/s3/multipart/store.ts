import { isObject, type JsonObject } from '../../../../ground/json/object.ts'
import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../../ground/sql/sql.ts'
import { stringifyWellFormed } from '../../../../ground/text/well-formed.ts'
import type { ObjectName } from '../../names/object-name.ts'
import { isoTime } from '../../sql/timestamp.ts'

/** A multipart upload to be inserted. */
export interface NewUpload extends ObjectName {
  readonly id: string
  /** The object's version once the upload is complete. */
  readonly version: string
  readonly owner: string | null
  readonly userMetadata: JsonObject | null
  readonly metadata: UploadMetadata
}

/** What the object will be stored with. */
export interface UploadMetadata {
  readonly mimetype: string
  readonly cacheControl: string
}

/** A part whose file is stored. */
export interface NewPart extends ObjectName {
  readonly uploadId: string
  readonly partNumber: number
  readonly sizeBytes: number
  /** With its quotes. */
  readonly etag: string
  /** The id of its file. */
  readonly version: string
  readonly owner: string | null
}

/** Where an upload is: its id is good for its own bucket and key only. */
export interface UploadName extends ObjectName {
  readonly uploadId: string
}

export const insertUploadStatement = (upload: NewUpload): Statement =>
  compile(sql`
    insert into storage.s3_multipart_uploads
      (id, bucket_id, key, version, upload_signature, owner_id, user_metadata, metadata)
    values (
      ${upload.id}, ${upload.bucketId}, ${upload.key}, ${upload.version}, '', ${upload.owner},
      ${typed(upload.userMetadata === null ? null : stringifyWellFormed(upload.userMetadata), 'jsonb')},
      ${typed(stringifyWellFormed(upload.metadata), 'jsonb')}
    )`)

const ofUpload = ({ uploadId, bucketId, key }: UploadName) => sql`
  u.id = ${uploadId} and u.bucket_id = ${bucketId} and u.key = ${key}`

/** Columns `UploadRow`. */
export const findUploadStatement = (name: UploadName): Statement =>
  compile(sql`
    select u.version, u.owner_id, u.user_metadata::text as user_metadata, u.metadata::text as metadata
    from storage.s3_multipart_uploads u
    where ${ofUpload(name)}`)

export type UploadRow = Readonly<
  Record<'version', string> & Record<'owner_id' | 'user_metadata' | 'metadata', string | null>
>

/** An upload whose parts are awaited. */
export interface PendingUpload extends UploadMetadata {
  readonly version: string
  readonly owner: string | null
  readonly userMetadata: JsonObject | null
}

export function toPendingUpload(row: UploadRow): PendingUpload {
  const metadata = parseObject(row.metadata) ?? {}
  return {
    version: row.version,
    owner: row.owner_id,
    userMetadata: parseObject(row.user_metadata),
    mimetype: String(metadata.mimetype ?? 'application/octet-stream'),
    cacheControl: String(metadata.cacheControl ?? 'no-cache'),
  }
}

function parseObject(text: string | null): JsonObject | null {
  const value: unknown = text === null ? null : JSON.parse(text)
  return isObject(value) ? value : null
}

/**
 * Adds to the bytes of an upload, under the lock of its row; `allowed` says whether they are within the limit, and no row
 * that there is no such upload.
 */
export const reserveBytesStatement = (name: UploadName, sizeBytes: number, limitBytes: number): Statement =>
  compile(sql`
    update storage.s3_multipart_uploads u
    set in_progress_size = case
      when u.in_progress_size + ${typed(sizeBytes, 'bigint')} <= ${typed(limitBytes, 'bigint')}
        then u.in_progress_size + ${typed(sizeBytes, 'bigint')}
      else u.in_progress_size
    end
    from (
      select u.id, u.in_progress_size + ${typed(sizeBytes, 'bigint')} <= ${typed(limitBytes, 'bigint')} as allowed
      from storage.s3_multipart_uploads u
      where ${ofUpload(name)}
      for update
    ) before
    where u.id = before.id
    returning before.allowed::text as allowed`)

/** Gives back the bytes of a part that was not stored. */
export const releaseBytesStatement = (name: UploadName, sizeBytes: number): Statement =>
  compile(sql`
    update storage.s3_multipart_uploads u
    set in_progress_size = greatest(u.in_progress_size - ${typed(sizeBytes, 'bigint')}, 0)
    where ${ofUpload(name)}`)

/** Stores a part in place of an earlier one of its number; `version` of that one, whose file is not needed any more. */
export const insertPartStatement = (part: NewPart): Statement =>
  compile(sql`
    with replaced as (
      delete from storage.s3_multipart_uploads_parts
      where upload_id = ${part.uploadId} and part_number = ${typed(part.partNumber, 'int')}
      returning version, size
    ), stored as (
      insert into storage.s3_multipart_uploads_parts
        (upload_id, size, part_number, bucket_id, key, etag, owner_id, version)
      values (
        ${part.uploadId}, ${typed(part.sizeBytes, 'bigint')}, ${typed(part.partNumber, 'int')}, ${part.bucketId},
        ${part.key}, ${part.etag}, ${part.owner}, ${part.version}
      )
    ), total as (
      update storage.s3_multipart_uploads
      set in_progress_size = in_progress_size - coalesce((select sum(size) from replaced), 0)::bigint
      where id = ${part.uploadId} and exists (select from replaced)
    )
    select version from replaced`)

/** Columns `PartRow`, in the order of their numbers. */
export const selectPartsStatement = (uploadId: string, after = 0, limit: number | null = null): Statement =>
  compile(sql`
    select part_number::text as part_number, size::text as size, etag, version, ${isoTime(sql`created_at`)} as created_at
    from storage.s3_multipart_uploads_parts
    where upload_id = ${uploadId} and part_number > ${typed(after, 'int')}
    order by part_number
    limit ${typed(limit, 'bigint')}`)

export type PartRow = Readonly<Record<'part_number' | 'size' | 'etag' | 'version' | 'created_at', string>>

/** Deletes an upload and its parts; `version` of each part, and one row without any where there was none. */
export const deleteUploadStatement = (name: UploadName): Statement =>
  compile(sql`
    with parts as (
      select p.version
      from storage.s3_multipart_uploads_parts p
      join storage.s3_multipart_uploads u on u.id = p.upload_id
      where ${ofUpload(name)}
    ), deleted as (
      delete from storage.s3_multipart_uploads u
      where ${ofUpload(name)}
      returning u.id
    )
    select p.version
    from deleted
    left join parts p on true`)

/** Uploads that are not complete, in the order of their keys. */
export const selectUploadsStatement = (
  bucketId: string,
  { prefix, keyMarker, uploadIdMarker, limit }: UploadPage,
): Statement =>
  compile(sql`
    select u.key, u.id, ${isoTime(sql`u.created_at`)} as created_at
    from storage.s3_multipart_uploads u
    where u.bucket_id = ${bucketId} and starts_with(u.key, ${prefix})
      and (u.key > ${keyMarker} collate "C" or (u.key = ${keyMarker} and u.id > ${uploadIdMarker}))
    order by u.key collate "C", u.id
    limit ${typed(limit, 'int')}`)

export interface UploadPage {
  readonly prefix: string
  /** Empty for the first page. */
  readonly keyMarker: string
  readonly uploadIdMarker: string
  readonly limit: number
}
