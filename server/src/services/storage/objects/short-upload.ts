import { Readable } from 'node:stream'
import { storageError } from '../errors.ts'
import type { FileId, FileStore } from '../files/file-store.ts'
import { readBytes } from '../files/receive.ts'
import type { UploadBody } from '../http/body/upload-body.ts'
import { type StorageCaller, type StorageRequest, serviceCaller } from '../http/caller.ts'
import { checkKey, isFolderPlaceholder } from '../names/names.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import type { Admission, UploadOptions } from './admission.ts'
import { storeOwnUpload } from './own-upload.ts'
import type { FileFacts, ReceivedBody, Uploaded, UploadFacts, VersionedFile } from './received.ts'
import type { NewObject } from './store.ts'

type Stored = Pick<Uploaded, 'id'>

/**
 * Admits and stores a short body in one transaction: one of the service itself, which no policy tests, once its file is
 * stored; one of another caller before. What these refuse is looked at more closely.
 *
 * @throws as `admit` and `store` of `Uploads`
 */
export type StoreShort = (
  request: StorageRequest,
  caller: StorageCaller,
  name: ObjectName,
  body: UploadBody,
  limitBytes: number,
  options: UploadOptions,
) => Promise<Stored>

/** What is kept in memory; a file of the service that is refused in the end has cost one write. */
const shortBytes = 64 * 1024

/** Whether `StoreShort` may store a body: a form is longer than its file. */
export const isShort = ({ declaredBytes }: ReceivedBody, { key }: ObjectName): boolean =>
  declaredBytes !== null && declaredBytes <= shortBytes && !isFolderPlaceholder(key)

/** The dependencies of `createShortUploads`: the steps of every upload, of `upload.ts`. */
export interface ShortUploadsDeps {
  readonly sql: Pick<StorageSql, 'asCallerAfter'>
  readonly files: Pick<FileStore, 'putShort'>
  readonly checked: ReadonlySet<string>
  readonly fileSizeLimit: number
  readonly admission: Pick<Admission, 'admit' | 'limitIn'>
  readonly newVersion: () => string
  readonly newId: () => string
  readonly keeping: <T>(version: FileId, work: () => Promise<T>) => Promise<T>
  readonly receive: (
    request: StorageRequest,
    name: ObjectName,
    body: ReceivedBody,
    limitBytes: number,
  ) => Promise<VersionedFile>
  /** Writes a row into a bucket that takes any type; null where it does not, or has another of the name. */
  readonly save: (request: StorageRequest, object: NewObject, options: UploadOptions) => Promise<Stored | null>
  readonly objectOf: (
    name: ObjectName,
    owner: string | null,
    version: FileId,
    facts: UploadFacts,
    file: FileFacts,
  ) => NewObject
  readonly store: (
    request: StorageRequest,
    name: ObjectName,
    body: ReceivedBody,
    limitBytes: number,
    options: UploadOptions,
  ) => Promise<Stored>
  readonly commit: (
    request: StorageRequest,
    name: ObjectName,
    stored: VersionedFile,
    facts: UploadFacts,
    options: UploadOptions,
  ) => Promise<Stored>
}

/** An upload whose bytes are in memory. */
interface ShortUpload {
  readonly bytes: Buffer
  readonly body: ReceivedBody
  readonly limitBytes: number
  readonly options: UploadOptions
}

/** @param deps the steps of every upload */
export function createShortUploads(deps: ShortUploadsDeps): StoreShort {
  const { admission, keeping, objectOf } = deps

  /** No policy tests it. */
  const storeAsService = async (request: StorageRequest, name: ObjectName, upload: ShortUpload) => {
    const { body, limitBytes, options } = upload
    const stored = await deps.receive(request, name, body, Math.min(limitBytes, deps.fileSizeLimit))
    const { version, file } = stored
    return keeping(version, async () => {
      const row = await deps.save(request, objectOf(name, options.owner, version, body, file), options)
      if (row !== null) return row
      const limit = await admission.admit(request, serviceCaller, name, body, options)
      if (file.sizeBytes > limit) throw storageError('EntityTooLarge')
      return deps.commit(request, name, stored, body, options)
    })
  }

  /** Policies test it. */
  const storeAs = async (request: StorageRequest, caller: StorageCaller, name: ObjectName, upload: ShortUpload) => {
    const { bytes, body, limitBytes, options } = upload
    const storeTested = async () => {
      const limit = await admission.admit(request, caller, name, body, options)
      return deps.store(request, name, body, Math.min(limit, limitBytes), options)
    }
    const { putShort } = deps.files
    if (putShort === null || deps.checked.has(name.bucketId)) return storeTested()
    const version = deps.newVersion()
    const outcome = await storeOwnUpload(deps.sql, request, caller, deps.newId, {
      bytes,
      upsert: options.upsert,
      objectOf: (file) => objectOf(name, options.owner, version, body, file),
      limitIn: (bucket) => Math.min(limitBytes, admission.limitIn(bucket, name.key, body.mimeType)),
      putFile: () => putShort(version, bytes),
    })
    switch (outcome.kind) {
      case 'stored':
        return outcome
      case 'left':
        return storeTested()
      case 'failed':
        return keeping(version, () => Promise.reject(outcome.cause))
    }
  }

  return async (request, caller, name, received, limitBytes, options) => {
    checkKey(name.key)
    const bytes = await readBytes(received.body, request.context.signal)
    const facts = { ...received, ...(await received.laterFacts()), declaredBytes: bytes.length, isExact: true }
    const short = { bytes, body: { ...facts, body: Readable.from(bytes) }, limitBytes, options }
    return caller.role === serviceCaller.role
      ? storeAsService(request, name, short)
      : storeAs(request, caller, name, short)
  }
}
