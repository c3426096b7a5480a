import { storageError } from '../errors.ts'
import type { FileId, FileStore, StoredFile } from '../files/file-store.ts'
import type { UploadBody } from '../http/body/upload-body.ts'
import { type StorageRequest, serviceCaller } from '../http/caller.ts'
import { checkKey, isFolderPlaceholder } from '../names/names.ts'
import type { ObjectName } from '../names/object-name.ts'
import { mayBeCommitted } from '../sql/database-error.ts'
import { type Admission, type AdmissionDeps, createAdmission, type UploadOptions } from './admission.ts'
import { checkContent } from './content-check.ts'
import type { ObjectMetadata } from './object.ts'
import { lockStatement, type NewObject, type ObjectSource, saveObjectStatement } from './store.ts'

/** What an object is stored with besides its bytes. */
export type UploadFacts = Pick<UploadBody, 'mimeType' | 'cacheControl' | 'userMetadata' | 'robotsTag'>

/** An object that was stored. */
export interface Uploaded {
  /** The id of its row. */
  readonly id: string
  /** JSON of its row. */
  readonly body: string
  readonly file: FileFacts
}

/** What an object tells of its file. */
type FileFacts = Pick<StoredFile, 'sizeBytes' | 'etag'>

/** A file without a row, and its version. */
interface VersionedFile {
  readonly version: FileId
  readonly file: FileFacts
}

type ReceivedBody = Omit<UploadBody, 'laterFacts'>

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
  /**
   * Admits and stores a short body of the service itself, which no policy tests: its bucket is looked at by the statement
   * that writes the row, and more closely only where that refuses.
   *
   * @throws as `admit` and `store`
   */
  storeShort(
    request: StorageRequest,
    name: ObjectName,
    body: ReceivedBody,
    limitBytes: number,
    options: UploadOptions,
  ): Promise<Uploaded>
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
  readonly files: Pick<FileStore, 'put' | 'remove'>
  /** Buckets whose uploads must begin as files of their declared type do. */
  readonly checkedBuckets: readonly string[]
  readonly newVersion: () => string
  readonly now: () => Date
}

/** How long a write waits for another of the same object. */
const lockTimeoutMs = 5_000

/** A file that is refused in the end has cost one write. */
const shortBytes = 64 * 1024

/** Whether `storeShort` may store a body. */
export const isShort = ({ declaredBytes, isExact }: ReceivedBody, { key }: ObjectName): boolean =>
  isExact && declaredBytes !== null && declaredBytes <= shortBytes && !isFolderPlaceholder(key)

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
  return {
    ...admission,
    async store(request, name, body, limitBytes, options, settle) {
      const stored = await receive(request, name, body, limitBytes)
      const later = await settle?.().catch(async (error: unknown) => {
        await files.remove([stored.version])
        throw error
      })
      return commit(request, name, stored, { ...body, ...later }, options)
    },
    async storeShort(request, name, body, limitBytes, options) {
      checkKey(name.key)
      const stored = await receive(request, name, body, Math.min(limitBytes, deps.fileSizeLimit))
      const { version, file } = stored
      return keeping(version, async () => {
        const object = { ...name, owner: options.owner, version, ...describe(body, file, now()) }
        const row = await save(request, object, options.upsert, 'open bucket')
        if (row !== null) return { ...row, file }
        const limit = await admission.admit(request, serviceCaller, name, body, options)
        if (file.sizeBytes > limit) throw storageError('EntityTooLarge')
        return commit(request, name, stored, body, options)
      })
    },
    commit,
  }
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
