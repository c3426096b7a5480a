import type { JsonObject } from '../../../ground/json/object.ts'
import { isObject } from '../../../ground/json/object.ts'
import { isHeaderValue } from '../http/header-value.ts'

/** What the service knows of an object's bytes: column `metadata`, whose names clients read (storage §5). */
export interface ObjectMetadata {
  /** With its quotes. */
  readonly eTag?: string
  readonly size?: number
  readonly mimetype?: string
  /** The value of `cache-control`. */
  readonly cacheControl?: string
  /** ISO 8601. */
  readonly lastModified?: string
  readonly contentLength?: number
  readonly httpStatusCode?: number
  readonly xRobotsTag?: string
}

/** An object's row. */
export interface StoredObject {
  readonly id: string
  readonly bucketId: string
  readonly key: string
  /** The name of its file; null for a row that SQL inserted. */
  readonly version: string | null
  readonly metadata: ObjectMetadata
  /** What the client attached; null for none. */
  readonly userMetadata: JsonObject | null
  /** ISO 8601. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** The columns of `findObjectStatement`. */
export type ObjectRow = Readonly<
  Record<'id' | 'bucket_id' | 'name' | 'created_at' | 'updated_at', string> &
    Record<'version' | 'metadata' | 'user_metadata', string | null>
>

/** The columns of `findInBucketStatement`: those of an object are null together. */
export type BucketObjectRow = Readonly<Record<'public', string> & Record<keyof ObjectRow, string | null>>

/** Reads a row, whose JSON may be anything that SQL wrote. */
export function toStoredObject(row: ObjectRow): StoredObject {
  const metadata = parseObject(row.metadata) ?? {}
  const text = (name: keyof ObjectMetadata) => {
    const value = metadata[name]
    return typeof value === 'string' && isHeaderValue(value) ? { [name]: value } : {}
  }
  const number = (name: keyof ObjectMetadata) => {
    const value = Number(metadata[name] ?? Number.NaN)
    return Number.isSafeInteger(value) && value >= 0 ? { [name]: value } : {}
  }
  return {
    id: row.id,
    bucketId: row.bucket_id,
    key: row.name,
    version: row.version,
    metadata: {
      ...text('eTag'),
      ...text('mimetype'),
      ...text('cacheControl'),
      ...text('lastModified'),
      ...text('xRobotsTag'),
      ...number('size'),
      ...number('contentLength'),
    },
    userMetadata: parseObject(row.user_metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function parseObject(text: string | null): JsonObject | null {
  if (text === null) return null
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : null
}
