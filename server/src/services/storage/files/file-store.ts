import type { Readable } from 'node:stream'

/** The name of a file: a UUID, the `version` of an object or of a part. It says nothing of bucket or key. */
export type FileId = string

export interface StoredFile {
  readonly sizeBytes: number
  /** The entity tag with its quotes: the MD5, or what the S3 bucket calls it. */
  readonly etag: string
}

/** A file whose bytes went through this process. */
export interface ReceivedFile extends StoredFile {
  /** MD5 of the bytes, in hexadecimal. */
  readonly md5: string
}

export interface PutOptions {
  /** A stream that is longer is refused as soon as the first byte too many arrives. */
  readonly limitBytes: number
  readonly signal?: AbortSignal
}

/** First and last byte, both included; the caller has compared them with the size. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file of the store, for the sweeper. */
export interface ListedFile {
  readonly id: FileId
  readonly sizeBytes: number
  readonly modifiedAt: Date
  /** Still growing: see PartialFiles. */
  readonly partial: boolean
}

/**
 * Where the bytes of objects are: a folder, or an S3 bucket. A file is never changed once it is stored.
 * Errors: those of `files/errors.ts`: `FileMissing`, `FileTooLarge`, `NoSpace`, `WrongOffset`; what the body or the
 * signal rejects with is passed on.
 */
export interface FileStore {
  /**
   * Stores a stream under a fresh id. Resolves once the bytes survive a crash.
   * Rejects, and leaves nothing, when the stream fails, is aborted, or is longer than the limit (FileTooLarge).
   */
  put(id: FileId, body: Readable, options: PutOptions): Promise<ReceivedFile>
  /**
   * `put` of a short file in about the time of a commit, so that a connection of the database may wait for it; null in a
   * store that is further away.
   */
  readonly putShort: ((id: FileId, bytes: Buffer) => Promise<void>) | null
  /** The bytes; the file is open once it resolves, so that a later `remove` does not disturb it. Rejects with FileMissing. */
  get(id: FileId, range?: ByteRange): Promise<Readable>
  /** The first bytes, as many as there is memory for. Resolves with their number; rejects with FileMissing. */
  read(id: FileId, memory: Buffer): Promise<number>
  /** Where a file lies on this machine, if it is in one piece; null in a store that is further away. */
  readonly pathOf: ((id: FileId) => string) | null
  /** Rejects with FileMissing when `from` is absent. */
  copy(from: FileId, to: FileId): Promise<StoredFile>
  /**
   * One file of the bytes of others, in their order; the others stay. For S3 multipart uploads, whose parts are files. The
   * bytes are not read where the store can do without. Resolves with their number; rejects with FileMissing.
   */
  join(parts: readonly FileId[], to: FileId): Promise<number>
  /** Removes finished and partial files. Absent ones are no error. */
  remove(ids: readonly FileId[]): Promise<void>
  /** Every file, in no order. */
  list(): AsyncIterable<ListedFile>
  readonly partial: PartialFiles
  /** Whether the store can be written to, in a sentence for the health page. */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>
  close(): Promise<void>
}

/** Files that grow by appending, as resumable uploads (TUS) do. One writer at a time: the caller holds a lock. */
export interface PartialFiles {
  /** Stores a file without bytes, which `append` makes longer. */
  create(id: FileId): Promise<void>
  /** The bytes that are stored for good. Rejects with FileMissing. */
  size(id: FileId): Promise<number>
  /**
   * Appends a stream at the end, which must be `offset` (else WrongOffset). Resolves with the new size once the bytes
   * survive a crash. When the stream fails or is aborted, what arrived before is kept (`size` tells how much), and the
   * cause is thrown; when it is longer than the limit of the whole file, what arrived of this call is dropped (FileTooLarge).
   */
  append(id: FileId, offset: number, body: Readable, options: PutOptions): Promise<number>
  /** Ends the growing; `get` finds the file under its id from then on. Repeating it is no error. */
  finish(id: FileId): Promise<StoredFile>
}
