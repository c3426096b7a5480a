import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { GuardedAgents } from '../../../../engines/outbound/index.ts'
import { inParallel } from '../../../../ground/limits/in-parallel.ts'
import { FileError } from '../errors.ts'
import type { ByteRange, StoredFile } from '../file-store.ts'
import { concatenated } from '../receive.ts'
import { compose, planParts } from './compose.ts'
import { isNamed, translating } from './errors.ts'
import { abortUpload, listUnfinished, type UnfinishedUpload } from './unfinished-uploads.ts'

/** Where files are in an S3 bucket. */
export interface S3Location {
  /** The server; null for Amazon's. */
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
  /** Read with each request, as its secret: a getter may bring renewed ones. */
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** How long the server may be silent within a request. */
  readonly timeoutSeconds: number
  /** Whether the bucket is in the path rather than in the host name, as most servers but Amazon's want it. */
  readonly pathStyle: boolean
  /** Connections of their own rules; any where nothing is said. */
  readonly agents?: GuardedAgents
}

export interface BucketEntry {
  readonly key: string
  readonly sizeBytes: number
  readonly modifiedAt: Date
}

/** The few operations of a bucket that a file store needs. */
export interface S3Bucket {
  /** In parts where it is long, at most of so many bytes; aborted parts are removed. @returns the entity tag */
  upload(key: string, body: Readable, mostBytes: number): Promise<string | null>
  put(key: string, bytes: Buffer): Promise<void>
  /** @throws FileMissing */
  get(key: string, range?: ByteRange): Promise<Readable>
  /** An object of the bytes of others, which the server copies where it can. @throws FileMissing */
  join(keys: readonly string[], to: string): Promise<StoredFile>
  /** @throws FileMissing */
  describe(key: string): Promise<StoredFile>
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<BucketEntry>
  /** Multipart uploads that go on, or that a crash has left; none where the server does not tell. */
  listUnfinished(prefix: string): AsyncIterable<UnfinishedUpload>
  abort(upload: UnfinishedUpload): Promise<void>
  /** @throws what is wrong with the bucket or the keys */
  check(): Promise<void>
  close(): void
}

/** The protocol's bounds of parts: short ones, since several are in memory at a time. */
const leastPartBytes = 5 * 1024 * 1024
const mostParts = 10_000
const describedAtOnce = 8

function openClient(location: S3Location): S3Client {
  const { endpoint, region, timeoutSeconds, pathStyle, agents } = location
  const client = new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    forcePathStyle: pathStyle,
    credentials: async () => {
      const { accessKeyId, secretAccessKey } = location
      // What has ended is asked for again with each request: the keys may be renewed.
      return { accessKeyId, secretAccessKey, expiration: new Date(0) }
    },
    // Checksums as trailers, which are sent by default, are unknown to many servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: timeoutSeconds * 1000, socketTimeout: timeoutSeconds * 1000, ...agents },
  })
  client.middlewareStack.add(translating, { step: 'initialize', name: 'translating' })
  return client
}

export function openBucket(location: S3Location): S3Bucket {
  const client = openClient(location)
  const { bucket } = location
  const upload = async (key: string, body: Readable, mostBytes: number): Promise<string | null> => {
    const params = { Bucket: bucket, Key: key, Body: body }
    const partSize = Math.max(leastPartBytes, Math.ceil(mostBytes / mostParts))
    const { ETag } = await new Upload({ client, params, partSize, queueSize: 2 }).done()
    return ETag ?? null
  }
  const get = async (key: string, range?: ByteRange): Promise<Readable> => {
    const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
    const { Body } = await missing(client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...part })))
    // In Node the SDK answers with Node's streams.
    return Body instanceof Readable ? Body : Readable.from([])
  }
  const describe = async (key: string): Promise<StoredFile> => {
    const { ContentLength = 0, ETag = '' } = await missing(
      client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })),
    )
    return { sizeBytes: ContentLength, etag: ETag }
  }
  return {
    upload,
    get,
    describe,
    async join(keys, to) {
      const sources: { readonly key: string; readonly sizeBytes: number }[] = []
      await inParallel(keys.entries(), describedAtOnce, async ([index, key]) => {
        sources[index] = { key, sizeBytes: (await describe(key)).sizeBytes }
      })
      const sizeBytes = sources.reduce((sum, source) => sum + source.sizeBytes, 0)
      const parts = planParts(sources)
      // Of parts without a byte, and on servers that copy no parts, the bytes go through this process.
      const send = () => upload(to, concatenated(keys.map((key) => () => get(key))), sizeBytes)
      const etag = await missing(
        parts.length === 0
          ? send()
          : compose({ client, bucket, get }, to, parts).catch((error: unknown) => {
              if (isNamed(error, 'NotImplemented')) return send()
              throw error
            }),
      )
      return { sizeBytes, etag: etag ?? (await describe(to)).etag }
    },
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }))
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
    async *list(prefix) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix }))
        for (const { Key = '', Size = 0, LastModified = new Date() } of Contents)
          yield { key: Key, sizeBytes: Size, modifiedAt: LastModified }
    },
    listUnfinished: (prefix) => listUnfinished(client, bucket, prefix),
    abort: (upload) => abortUpload(client, bucket, upload),
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
    },
    close: () => client.destroy(),
  }
}

/** What a request answers. @throws FileMissing where its object is not there */
const missing = <Output>(asked: Promise<Output>): Promise<Output> =>
  asked.catch((error: unknown) => {
    throw isNamed(error, 'NoSuchKey', 'NotFound') ? new FileError('FileMissing', { cause: error }) : error
  })
