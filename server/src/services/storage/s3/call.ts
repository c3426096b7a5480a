import type { Readable } from 'node:stream'
import type { Buckets, OwnRequest } from '../buckets/buckets.ts'
import type { FileStore } from '../files/file-store.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { ManagedObjects } from '../objects/manage.ts'
import type { Reads } from '../objects/read.ts'
import type { Uploads } from '../objects/upload.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import type { VerifiedBody } from './chunked/read-body.ts'
import type { Element } from './xml/parse.ts'

/** What operations need of the service. */
export interface S3Services {
  readonly sql: StorageSql
  readonly files: FileStore
  readonly buckets: Buckets
  readonly uploads: Uploads
  readonly reads: Reads
  readonly objects: ManagedObjects
  /** The region that clients are told. */
  readonly region: string
  readonly newId: () => string
  /** What each part of a multipart upload has at least, but for the last. */
  readonly minPartBytes: number
}

/** A verified request. */
export interface S3Call {
  readonly own: OwnRequest
  /** The object; its key is empty where the bucket is meant. */
  readonly name: ObjectName
  readonly query: ReadonlyMap<string, string>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Whether the request is a link that a browser may open. */
  readonly isPresigned: boolean
  /** The number of the body's bytes; null where only its end tells. */
  readonly sizeBytes: number | null
  /** The body, to be read once. */
  readonly body: () => VerifiedBody
  /** The body as XML; null for an empty one. @throws MalformedXML, EntityTooLarge */
  readonly document: () => Promise<Element | null>
}

export interface S3Response {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A document, or the bytes of an object. */
  readonly body?: string | Readable
}

/** One operation of the protocol. */
export type Operate = (services: S3Services, call: S3Call) => Promise<S3Response>
