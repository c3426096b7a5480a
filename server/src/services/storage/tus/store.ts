import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'

/** A resumable upload that is not finished. */
export interface ResumableUpload {
  readonly id: string
  readonly bucketId: string
  readonly key: string
  /** Null while the client has not said how long it is. */
  readonly sizeBytes: number | null
  readonly owner: string | null
  readonly upsert: boolean
  /** Fields of `Upload-Metadata`. */
  readonly metadata: Readonly<Record<string, string>>
  readonly expiresAt: Date
}

const columns = sql`id, bucket_id as "bucketId", name as key, size::float8 as "sizeBytes", owner_id as owner, upsert,
  metadata, expires_at as "expiresAt"`

export const insertUploadStatement = (upload: ResumableUpload): Statement =>
  compile(sql`
    insert into clew_storage.resumable_uploads (id, bucket_id, name, size, owner_id, upsert, metadata, expires_at)
    values (
      ${upload.id}, ${upload.bucketId}, ${upload.key}, ${typed(upload.sizeBytes, 'bigint')}, ${upload.owner},
      ${upload.upsert}, ${typed(stringifyWellFormed(upload.metadata), 'jsonb')}, ${upload.expiresAt}
    )`)

export const findUploadStatement = (id: string): Statement =>
  compile(
    sql`select ${columns} from clew_storage.resumable_uploads where id = ${typed(id, 'uuid')} and expires_at > now()`,
  )

export const setSizeStatement = (id: string, sizeBytes: number): Statement =>
  compile(sql`
    update clew_storage.resumable_uploads
    set size = ${typed(sizeBytes, 'bigint')}
    where id = ${typed(id, 'uuid')} and size is null`)

export const deleteUploadStatement = (id: string): Statement =>
  compile(sql`delete from clew_storage.resumable_uploads where id = ${typed(id, 'uuid')}`)

/**
 * Whether an upload became an object, in column `committed`, though its own row is still here: a version is an object's,
 * or waits for its removal because another took its place.
 */
export const findCommittedStatement = (id: string): Statement =>
  compile(sql`
    select exists (select from storage.objects where version = ${id})
      or exists (select from clew_storage.removals where file_id = ${typed(id, 'uuid')}) as committed`)

/** The object that an upload became, as far as it is still that one. */
export const findFinishedStatement = (id: string): Statement =>
  compile(sql`
    select version as id, bucket_id as "bucketId", name as key, (metadata ->> 'size')::float8 as "sizeBytes",
      owner_id as owner, false as upsert, '{}'::jsonb as metadata, updated_at as "expiresAt"
    from storage.objects
    where version = ${id}`)

/** Takes or renews the lease of an upload, unless another holder has it: `held`; and whether the upload is there: `present`. */
export const holdUploadStatement = (id: string, holder: string, seconds: number): Statement =>
  compile(sql`
    with held as (
      update clew_storage.resumable_uploads
      set holder = ${typed(holder, 'uuid')}, held_until = now() + make_interval(secs => ${typed(seconds, 'int')})
      where id = ${typed(id, 'uuid')}
        and (holder is null or held_until < now() or holder = ${typed(holder, 'uuid')})
      returning id
    )
    select
      exists (select from held) as held,
      exists (select from clew_storage.resumable_uploads where id = ${typed(id, 'uuid')}) as present`)

export const releaseUploadStatement = (id: string, holder: string): Statement =>
  compile(sql`
    update clew_storage.resumable_uploads
    set holder = null, held_until = null
    where id = ${typed(id, 'uuid')} and holder = ${typed(holder, 'uuid')}`)
