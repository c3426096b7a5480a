import type { Readable } from 'node:stream'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import { storageError } from '../errors.ts'
import { FileError } from '../files/errors.ts'
import type { FileStore } from '../files/file-store.ts'
import { parseMetadata } from '../http/body/upload-body.ts'
import type { StorageCaller, StorageRequest } from '../http/caller.ts'
import { isStorageError } from '../http/error-response.ts'
import { checkHeaderValue } from '../http/header-value.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { UploadOptions } from '../objects/admission.ts'
import type { Uploads } from '../objects/upload.ts'
import { mayBeCommitted } from '../sql/database-error.ts'
import { type ChunkChecksum, withVerified } from './checksum.ts'
import { createLeases } from './lease.ts'
import {
  deleteUploadStatement,
  findCommittedStatement,
  findFinishedStatement,
  findUploadStatement,
  insertUploadStatement,
  type ResumableUpload,
  setSizeStatement,
} from './store.ts'

/** An upload, and how far it is. */
export interface UploadState {
  readonly upload: ResumableUpload
  readonly offset: number
  /** Whether it is an object now. */
  readonly isFinished: boolean
}

/** A body that continues an upload. */
export interface Chunk {
  readonly offset: number
  readonly body: Readable
  /** `Upload-Length` of a client that tells it late; else null. */
  readonly sizeBytes: number | null
  /** `Upload-Checksum`; null without one. */
  readonly checksum: ChunkChecksum | null
}

/** Runs what makes an upload an object, where that is to be recorded. */
export type RecordCommit = (name: ObjectName, commit: () => Promise<void>) => Promise<void>

/** Resumable uploads (storage §9). Each operation but the last can be the one that makes the upload an object. */
export interface ResumableUploads {
  /** @throws as an upload does before its bytes are stored */
  create(
    request: StorageRequest,
    tester: StorageCaller | null,
    metadata: ReadonlyMap<string, string>,
    sizeBytes: number | null,
    options: UploadOptions,
    record?: RecordCommit,
  ): Promise<UploadState>
  /** @throws NoSuchUpload */
  describe(request: StorageRequest, id: string, record?: RecordCommit): Promise<UploadState>
  /**
   * Of a finished upload, a chunk without bytes at its end changes nothing.
   *
   * @throws NoSuchUpload, WrongOffset (FileError), EntityTooLarge, ChecksumMismatch, LockTimeout; what arrived before is kept
   */
  append(
    request: StorageRequest,
    tester: StorageCaller | null,
    id: string,
    chunk: Chunk,
    record?: RecordCommit,
  ): Promise<UploadState>
  /** @throws NoSuchUpload, UploadFinished, AccessDenied */
  remove(request: StorageRequest, tester: StorageCaller | null, id: string): Promise<void>
}

/** The dependencies of `createResumableUploads`. */
export interface ResumableDeps {
  readonly sql: Sql
  readonly files: FileStore
  readonly uploads: Uploads
  readonly lifetimeMs: number
  readonly newVersion: () => string
  readonly now: () => Date
}

/** @param deps statements, files, and what makes a file an object */
export function createResumableUploads(deps: ResumableDeps): ResumableUploads {
  const { sql, files, uploads, lifetimeMs, newVersion, now } = deps
  const leases = createLeases(sql)

  const { find, findOpen, findFinished, sizeOf, finishWhereComplete, store } = createSteps(deps)
  /** What a chunk that comes once the upload is an object is answered. */
  const appendToFinished = async (id: string, { offset, body }: Chunk): Promise<UploadState> => {
    const upload = await findFinished(id)
    if (upload === null) throw storageError('NoSuchUpload')
    if (offset !== upload.sizeBytes) throw new FileError('WrongOffset')
    for await (const bytes of body as AsyncIterable<Buffer>) if (bytes.length > 0) throw storageError('EntityTooLarge')
    return { upload, offset, isFinished: true }
  }
  return {
    async create(request, tester, metadata, sizeBytes, { owner, upsert }, record) {
      const upload: ResumableUpload = {
        id: newVersion(),
        bucketId: required(metadata, 'bucketName'),
        key: required(metadata, 'objectName'),
        sizeBytes,
        owner,
        upsert,
        metadata: Object.fromEntries(metadata),
        expiresAt: new Date(now().getTime() + lifetimeMs),
      }
      const limit = await admit(uploads, request, tester, upload)
      if (sizeBytes !== null && sizeBytes > limit) throw storageError('EntityTooLarge')
      await sql.query(insertUploadStatement(upload))
      await files.partial.create(upload.id)
      return finishWhereComplete(request, upload, 0, record)
    },
    async describe(request, id, record) {
      const upload = (await findOpen(id)) ?? (await findFinished(id))
      if (upload === null) throw storageError('NoSuchUpload')
      // A client that has lost the last answer learns here that nothing is left to send.
      if (upload.isFinished) return { upload, offset: upload.sizeBytes ?? 0, isFinished: true }
      const offset = await sizeOf(upload)
      return offset === upload.sizeBytes
        ? leases.hold(id, () => finishWhereComplete(request, upload, offset, record))
        : { upload, offset, isFinished: false }
    },
    append: (request, tester, id, chunk, record) => {
      const appended = leases.hold(id, async (stopped) => {
        let upload = await find(id)
        const limit = await admit(uploads, request, tester, upload)
        if (upload.sizeBytes === null && chunk.sizeBytes !== null) {
          if (chunk.sizeBytes > limit) throw storageError('EntityTooLarge')
          await sql.query(setSizeStatement(id, chunk.sizeBytes))
          upload = { ...upload, sizeBytes: chunk.sizeBytes }
        }
        const stored = await sizeOf(upload)
        if (stored !== chunk.offset) throw new FileError('WrongOffset')
        const signal = AbortSignal.any([stopped, request.context.signal])
        const offset =
          stored === upload.sizeBytes ? stored : await store(id, stored, chunk, upload.sizeBytes ?? limit, signal)
        return finishWhereComplete(request, upload, offset, record)
      })
      return appended.catch((error: unknown) => {
        if (isStorageError(error) && error.code === 'NoSuchUpload') return appendToFinished(id, chunk)
        throw error
      })
    },
    async remove(request, tester, id) {
      if ((await findOpen(id)) === null && (await findFinished(id)) !== null) throw storageError('UploadFinished')
      await leases.hold(id, async () => {
        await admit(uploads, request, tester, await find(id))
        await sql.query(deleteUploadStatement(id))
        await files.remove([id])
      })
    },
  }
}

/** The steps that operations have in common. */
function createSteps({ sql, files, uploads, newVersion }: ResumableDeps) {
  const foundBy = async (statement: Statement): Promise<ResumableUpload | null> =>
    (await sql.query<ResumableUpload>(statement)).rows[0] ?? null
  const findOpen = async (id: string) => {
    const upload = await foundBy(findUploadStatement(id))
    return upload === null ? null : ({ ...upload, isFinished: false } as const)
  }
  const findFinished = async (id: string) => {
    const upload = await foundBy(findFinishedStatement(id))
    return upload === null ? null : ({ ...upload, isFinished: true } as const)
  }
  const find = async (id: string): Promise<ResumableUpload> => {
    const upload = await findOpen(id)
    if (upload === null) throw storageError('NoSuchUpload')
    return upload
  }
  /** The bytes that are stored; all of them where a crash came between the finished file and its row. */
  const sizeOf = async ({ id, sizeBytes }: ResumableUpload): Promise<number> => {
    try {
      return await files.partial.size(id)
    } catch (error) {
      if (sizeBytes === null || !(error instanceof FileError) || error.code !== 'FileMissing') throw error
      return sizeBytes
    }
  }
  /** Whether a crash, or a lost connection, came between the object's row and the end of the upload's own. */
  const wasCommitted = async (id: string): Promise<boolean> =>
    (await sql.query<{ committed: boolean }>(findCommittedStatement(id))).rows[0]?.committed === true
  const finishWhereComplete = async (
    request: StorageRequest,
    upload: ResumableUpload,
    offset: number,
    record: RecordCommit = (_name, commit) => commit(),
  ): Promise<UploadState> => {
    if (offset !== upload.sizeBytes) return { upload, offset, isFinished: false }
    if (await wasCommitted(upload.id)) {
      // Made an object once more it would be refused for itself, and its file removed, or take the place of a newer one.
      await sql.query(deleteUploadStatement(upload.id))
      return { upload, offset, isFinished: true }
    }
    const file = await files.partial.finish(upload.id)
    const { owner, upsert, id: version } = upload
    try {
      await record({ bucketId: upload.bucketId, key: upload.key }, async () => {
        await uploads.commit(request, upload, { version, file }, factsOf(upload), { owner, upsert })
      })
    } catch (error) {
      // Refused, and its file is gone. An upload that may be an object already is made one by the next request.
      if (!mayBeCommitted(error)) await sql.query(deleteUploadStatement(upload.id))
      throw error
    }
    await sql.query(deleteUploadStatement(upload.id))
    return { upload, offset, isFinished: true }
  }
  /** @returns the bytes that are stored then */
  const store = (id: string, stored: number, { body, checksum }: Chunk, limitBytes: number, signal: AbortSignal) => {
    const append = (bytes: Readable) => files.partial.append(id, stored, bytes, { limitBytes, signal })
    if (checksum === null) return append(body)
    return withVerified(files, newVersion(), { body, checksum }, { limitBytes: limitBytes - stored, signal }, append)
  }
  return { find, findOpen, findFinished, sizeOf, finishWhereComplete, store }
}

function required(metadata: ReadonlyMap<string, string>, name: string): string {
  const value = metadata.get(name)
  if (value === undefined || value === '')
    throw storageError('InvalidRequest', { message: `Metadata header is required: ${name} is missing` })
  return value
}

const admit = (
  uploads: Uploads,
  request: StorageRequest,
  tester: StorageCaller | null,
  upload: ResumableUpload,
): Promise<number> => {
  const { mimeType, userMetadata } = factsOf(upload)
  const facts = { mimeType, userMetadata, declaredBytes: upload.sizeBytes }
  return uploads.admit(request, tester, upload, facts, { owner: upload.owner, upsert: upload.upsert })
}

function factsOf({ metadata }: ResumableUpload) {
  const { contentType, cacheControl, metadata: attached } = metadata
  return {
    mimeType: checkHeaderValue(contentType ?? 'application/octet-stream'),
    cacheControl: /^\d+$/.test(cacheControl ?? '') ? `max-age=${cacheControl}` : 'no-cache',
    userMetadata: attached === undefined ? null : parseMetadata(attached),
    robotsTag: null,
  }
}
