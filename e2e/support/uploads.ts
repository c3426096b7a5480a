import { createHash } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { ProductFacts } from './product.ts'

/** A product, or one that other files use as well. */
type Product = Pick<ProductFacts, 'apiUrl' | 'serviceRoleKey'>

/** Stores an object, in place of one of its name; rejects unless it was answered as stored. */
export type UploadObject = (product: Product, name: string, bytes: Buffer) => Promise<void>

/** The bucket of these tests. */
export const bucket = 'uploads'
const mib = 1024 ** 2
/** The smallest part that may be followed by another. */
const partBytes = 5 * mib

export const authorizationOf = ({ serviceRoleKey }: Product) => ({ authorization: `Bearer ${serviceRoleKey}` })
export const storageUrl = ({ apiUrl }: Product): string => `${apiUrl}/storage/v1`
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function send(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${url}: ${answer.status} ${await answer.text()}`)
  return answer
}

export async function createBucket(product: Product, name = bucket): Promise<void> {
  const headers = { ...authorizationOf(product), 'content-type': 'application/json' }
  await send(`${storageUrl(product)}/bucket`, { method: 'POST', headers, body: JSON.stringify({ name }) })
}

/** The bytes of an object; null where it is not there. */
export async function download(product: Product, name: string): Promise<Buffer | null> {
  const url = `${storageUrl(product)}/object/authenticated/${bucket}/${name}`
  const answer = await fetch(url, { headers: authorizationOf(product) })
  if (answer.ok) return Buffer.from(await answer.arrayBuffer())
  const { error } = (await answer.json()) as { error: string }
  if (error === 'not_found') return null
  throw new Error(`${url}: ${answer.status} ${error}`)
}

/** Removes an object. @returns whether that was answered */
export async function remove(product: Product, name: string): Promise<boolean> {
  const init = { method: 'DELETE', headers: authorizationOf(product) }
  return (await fetch(`${storageUrl(product)}/object/${bucket}/${name}`, init)).ok
}

/** Begins a resumable upload. @returns its address */
export async function beginResumable(product: Product, name: string, sizeBytes: number): Promise<string> {
  const metadata = { bucketName: bucket, objectName: name }
  const answer = await send(`${storageUrl(product)}/upload/resumable`, {
    method: 'POST',
    headers: {
      ...authorizationOf(product),
      'tus-resumable': '1.0.0',
      'x-upsert': 'true',
      'upload-length': String(sizeBytes),
      'upload-metadata': Object.entries(metadata)
        .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    },
  })
  return answer.headers.get('location') ?? ''
}

/** The head of a request that continues a resumable upload. */
export const chunkHeaders = (product: Product, offset: number) => ({
  ...authorizationOf(product),
  'tus-resumable': '1.0.0',
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
})

export const uploads: Readonly<Record<'plain' | 'tus' | 's3', UploadObject>> = {
  async plain(product, name, bytes) {
    const headers = { ...authorizationOf(product), 'x-upsert': 'true', 'content-type': 'application/octet-stream' }
    await send(`${storageUrl(product)}/object/${bucket}/${name}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    })
  },
  async tus(product, name, bytes) {
    const address = await beginResumable(product, name, bytes.length)
    const middle = Math.floor(bytes.length / 2)
    for (const [start, end] of [
      [0, middle],
      [middle, bytes.length],
    ] as const)
      await send(address, {
        method: 'PATCH',
        headers: chunkHeaders(product, start),
        body: new Uint8Array(bytes.subarray(start, end)),
      })
  },
  async s3(product, name, bytes) {
    const client = createS3Client(product)
    const place = { Bucket: bucket, Key: name }
    try {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(place))
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      for (let start = 0; start < bytes.length; start += partBytes) {
        const PartNumber = Parts.length + 1
        const part = { ...place, UploadId, PartNumber, Body: bytes.subarray(start, start + partBytes) }
        const { ETag } = await client.send(new UploadPartCommand(part))
        Parts.push({ PartNumber, ETag })
      }
      await client.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }))
    } finally {
      client.destroy()
    }
  },
}

/** The access key that every local instance has. */
export const s3Credentials = {
  accessKeyId: '625729a08b95bf1b7ff351a663f3a23c',
  secretAccessKey: '850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907',
}

/** Settings of a product whose files are in a bucket of another one. */
export const inBucketOf = (product: Product, name: string): Readonly<Record<string, string>> => ({
  CLEW_STORAGE_BACKEND: 's3',
  CLEW_STORAGE_S3_ENDPOINT: `${storageUrl(product)}/s3`,
  CLEW_STORAGE_S3_REGION: 'local',
  CLEW_STORAGE_S3_BUCKET: name,
  CLEW_STORAGE_S3_FORCE_PATH_STYLE: 'true',
  CLEW_STORAGE_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
  CLEW_STORAGE_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
})

export const createS3Client = (product: Product): S3Client =>
  new S3Client({
    region: 'local',
    endpoint: `${storageUrl(product)}/s3`,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: s3Credentials,
  })
