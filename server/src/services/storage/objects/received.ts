import type { FileId, StoredFile } from '../files/file-store.ts'
import type { UploadBody } from '../http/body/upload-body.ts'

/** What an object is stored with besides its bytes. */
export type UploadFacts = Pick<UploadBody, 'mimeType' | 'cacheControl' | 'userMetadata' | 'robotsTag'>

/** A body that is being received. */
export type ReceivedBody = Omit<UploadBody, 'laterFacts'>

/** What an object tells of its file. */
export type FileFacts = Pick<StoredFile, 'sizeBytes' | 'etag'>

/** A file without a row, and its version. */
export interface VersionedFile {
  readonly version: FileId
  readonly file: FileFacts
}

/** An object that was stored. */
export interface Uploaded {
  /** The id of its row. */
  readonly id: string
  /** JSON of its row. */
  readonly body: string
  readonly file: FileFacts
}
