import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { FileError } from '../errors.ts'
import type { ByteRange } from '../file-store.ts'

/** Where files are in an S3 bucket. */
export interface S3Location {
  /** The server; null for Amazon's. */
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Whether the bucket is in the path rather than in the host name, as most servers but Amazon's want it. */
  readonly pathStyle: boolean
}

export interface BucketEntry {
  readonly key: string
  readonly sizeBytes: number
  readonly modifiedAt: Date
}

/** The few operations of a bucket that a file store needs. */
export interface S3Bucket {
  /** In parts where it is long; aborted parts are removed. @returns the entity tag */
  upload(key: string, body: Readable): Promise<string | null>
  put(key: string, bytes: Buffer): Promise<void>
  /** @throws FileMissing */
  get(key: string, range?: ByteRange): Promise<Readable>
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<BucketEntry>
  /** @throws what is wrong with the bucket or the keys */
  check(): Promise<void>
  close(): void
}

const partBytes = 8 * 1024 * 1024

export function openBucket({
  endpoint,
  region,
  bucket,
  accessKeyId,
  secretAccessKey,
  pathStyle,
}: S3Location): S3Bucket {
  const client = new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Checksums as trailers, which are sent by default, are unknown to many servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    async upload(key, body) {
      const params = { Bucket: bucket, Key: key, Body: body }
      const { ETag } = await new Upload({ client, params, partSize: partBytes, queueSize: 2 }).done()
      return ETag ?? null
    },
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }))
    },
    async get(key, range) {
      const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...part }))
        // In Node the SDK answers with Node's streams.
        return Body instanceof Readable ? Body : Readable.from([])
      } catch (error) {
        throw isMissing(error) ? new FileError('FileMissing', { cause: error }) : error
      }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
    async *list(prefix) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }))
        for (const { Key = '', Size = 0, LastModified = new Date() } of Contents)
          yield { key: Key, sizeBytes: Size, modifiedAt: LastModified }
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
    },
    close: () => client.destroy(),
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')
