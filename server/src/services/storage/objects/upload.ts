import { storageError } from '../errors.ts'
import type { FileId, FileStore } from '../files/file-store.ts'
import type { StorageRequest } from '../http/caller.ts'
import type { ObjectName } from '../names/object-name.ts'
import { mayBeCommitted } from '../sql/database-error.ts'
import { type Admission, type AdmissionDeps, createAdmission, type UploadOptions } from './admission.ts'
import { checkContent } from './content-check.ts'
import type { ObjectMetadata } from './object.ts'
import type { FileFacts, ReceivedBody, Uploaded, UploadFacts, VersionedFile } from './received.ts'
import { createShortUploads, type StoreShort } from './short-upload.ts'
import { lockStatement, lockTimeoutMs, type NewObject, type ObjectSource, saveObjectStatement } from './store.ts'

/** Stores objects: the file first, then the row in one short transaction under a lock of its name (storage §12). */
export interface Uploads extends Admission {
  /** Stores a body; nothing is left when it fails. @throws EntityTooLarge, KeyAlreadyExists, OutOfSpace, ResourceLocked */
  store(
    request: StorageRequest,
    name: ObjectName,
    body: ReceivedBody,
    limitBytes: number,
    options: UploadOptions,
    /** What is known of the object once its bytes are stored, when it differs; refused where it rejects. */
    settle?: () => Promise<Partial<UploadFacts>>,
  ): Promise<Uploaded>
  readonly storeShort: StoreShort
  /** Makes a file that is stored already the object; the file is removed when the database refuses it. @throws as `store` */
  commit(
    request: StorageRequest,
    name: ObjectName,
    stored: VersionedFile,
    facts: UploadFacts,
    options: UploadOptions,
  ): Promise<Uploaded>
}

/** The dependencies of `createUploads`. */
export interface UploadsDeps extends AdmissionDeps {
  readonly files: Pick<FileStore, 'put' | 'putShort' | 'remove'>
  /** Buckets whose uploads must begin as files of their declared type do. */
  readonly checkedBuckets: readonly string[]
  readonly newVersion: () => string
  /** The id of a row. */
  readonly newId: () => string
  readonly now: () => Date
}

/** @param deps statements, files and buckets */
export function createUploads(deps: UploadsDeps): Uploads {
  const { sql, files, newVersion, now } = deps
  const checked = new Set(deps.checkedBuckets)
  const admission = createAdmission(deps)

  /** The object's row; null where there is another of the name, or the source has no row. */
  const save = async (request: StorageRequest, object: NewObject, upsert: boolean, source: ObjectSource) => {
    const { rows } = await sql.asService<{ id: string; body: string }>(request, {
      before: lockStatement(object),
      statement: saveObjectStatement(object, { upsert, source }),
      lockTimeoutMs,
    })
    return rows[0] ?? null
  }
  /** The file is removed when this fails, unless its row may be there: the sweeper knows it then. */
  const keeping = <T>(version: FileId, work: () => Promise<T>): Promise<T> =>
    work().catch(async (error: unknown) => {
      if (!mayBeCommitted(error)) await files.remove([version])
      throw error
    })
  const receive = async (request: StorageRequest, name: ObjectName, body: ReceivedBody, limitBytes: number) => {
    if (body.isExact && body.declaredBytes !== null && body.declaredBytes > limitBytes)
      throw storageError('EntityTooLarge')
    const version = newVersion()
    const content = checked.has(name.bucketId) ? await checkContent(body.body, body.mimeType) : body.body
    return { version, file: await files.put(version, content, { limitBytes, signal: request.context.signal }) }
  }
  const commit: Uploads['commit'] = (request, name, { version, file }, facts, { upsert, owner }) =>
    keeping(version, async () => {
      const object = { ...name, owner, version, ...describe(facts, file, now()) }
      const row = await save(request, object, upsert, 'values')
      // Another upload of this name was faster (storage §12).
      if (row === null) throw storageError('KeyAlreadyExists')
      return { ...row, file }
    })
  const uploads: Uploads = {
    ...admission,
    async store(request, name, body, limitBytes, options, settle) {
      const stored = await receive(request, name, body, limitBytes)
      const later = await settle?.().catch(async (error: unknown) => {
        await files.remove([stored.version])
        throw error
      })
      return commit(request, name, stored, { ...body, ...later }, options)
    },
    storeShort: (...upload) => storeShort(...upload),
    commit,
  }
  const storeShort = createShortUploads({
    ...deps,
    checked,
    admission,
    keeping,
    receive,
    commit,
    store: uploads.store,
    save: (request, object, options) => save(request, object, options.upsert, 'open bucket'),
    objectOf: (name, owner, version, facts, file) => ({ ...name, owner, version, ...describe(facts, file, now()) }),
  })
  return uploads
}

/** What a row says of its file, and what the client said of it. */
function describe(
  { mimeType, cacheControl, userMetadata, robotsTag }: UploadFacts,
  { etag, sizeBytes }: FileFacts,
  at: Date,
): Pick<NewObject, 'metadata' | 'userMetadata'> {
  const metadata: ObjectMetadata = {
    eTag: etag,
    size: sizeBytes,
    lastModified: at.toISOString(),
    contentLength: sizeBytes,
    httpStatusCode: 200,
    mimetype: mimeType,
    cacheControl,
    ...(robotsTag === null ? {} : { xRobotsTag: robotsTag }),
  }
  return { metadata, userMetadata: userMetadata ?? {} }
}
