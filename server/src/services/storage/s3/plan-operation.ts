import { storageError } from '../errors.ts'
import type { S3Address } from './address.ts'

/** Every operation, with its name for `storage.operation()`. */
export const operationNames = {
  ListBuckets: 'storage.s3.bucket.list',
  CreateBucket: 'storage.s3.bucket.create',
  HeadBucket: 'storage.s3.bucket.head',
  DeleteBucket: 'storage.s3.bucket.delete',
  GetBucketLocation: 'storage.s3.bucket.get_location',
  GetBucketVersioning: 'storage.s3.bucket.get_versioning',
  ListObjects: 'storage.s3.object.list',
  ListObjectsV2: 'storage.s3.object.list',
  DeleteObjects: 'storage.s3.object.delete_many',
  PostObject: 'storage.s3.upload',
  GetObject: 'storage.s3.object.get',
  HeadObject: 'storage.s3.object.info',
  GetObjectTagging: 'storage.s3.object.get_tagging',
  PutObject: 'storage.s3.upload',
  CopyObject: 'storage.s3.object.copy',
  DeleteObject: 'storage.s3.object.delete',
  CreateMultipartUpload: 'storage.s3.upload.create_multipart',
  UploadPart: 'storage.s3.upload.part',
  UploadPartCopy: 'storage.s3.upload.part_copy',
  CompleteMultipartUpload: 'storage.s3.upload.complete_multipart',
  AbortMultipartUpload: 'storage.s3.upload.abort_multipart',
  ListParts: 'storage.s3.upload.list_parts',
  ListMultipartUploads: 'storage.s3.upload.list_multipart',
} as const

export type S3Operation = keyof typeof operationNames

/** Parts of a bucket or an object that are not served, as a name without a value in the query. */
const unsupported: ReadonlySet<string> = new Set(
  (
    'accelerate acl analytics attributes cors encryption intelligent-tiering inventory legal-hold lifecycle logging metrics ' +
    'notification object-lock ownershipControls policy policyStatus publicAccessBlock replication requestPayment restore ' +
    'retention select tagging torrent versions website versionId'
  ).split(' '),
)

/**
 * The operation that a request means.
 *
 * @throws NotSupported
 */
export function planOperation(
  method: string,
  { bucketId, key }: S3Address,
  query: ReadonlyMap<string, string>,
  headers: Readonly<Record<string, string | undefined>>,
): S3Operation {
  const operation =
    bucketId === ''
      ? serviceOperation(method)
      : key === ''
        ? bucketOperation(method, query, headers)
        : objectOperation(method, query, headers)
  if (operation === null)
    throw storageError('NotSupported', {
      message: 'A header or query you provided implies functionality that is not implemented',
    })
  return operation
}

const serviceOperation = (method: string): S3Operation | null => (method === 'GET' ? 'ListBuckets' : null)

const asksUnsupported = (query: ReadonlyMap<string, string>): boolean =>
  [...query.keys()].some((name) => unsupported.has(name))

function bucketOperation(
  method: string,
  query: ReadonlyMap<string, string>,
  headers: Readonly<Record<string, string | undefined>>,
): S3Operation | null {
  if (asksUnsupported(query)) return null
  switch (method) {
    case 'GET':
      if (query.has('location')) return 'GetBucketLocation'
      if (query.has('versioning')) return 'GetBucketVersioning'
      if (query.has('uploads')) return 'ListMultipartUploads'
      return query.get('list-type') === '2' ? 'ListObjectsV2' : 'ListObjects'
    case 'HEAD':
      return 'HeadBucket'
    case 'PUT':
      return query.has('versioning') ? null : 'CreateBucket'
    case 'DELETE':
      return 'DeleteBucket'
    case 'POST':
      if (query.has('delete')) return 'DeleteObjects'
      return headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ? 'PostObject' : null
    default:
      return null
  }
}

function objectOperation(
  method: string,
  query: ReadonlyMap<string, string>,
  headers: Readonly<Record<string, string | undefined>>,
): S3Operation | null {
  const isCopy = headers['x-amz-copy-source'] !== undefined
  if (method === 'GET' && query.has('tagging')) return 'GetObjectTagging'
  if (asksUnsupported(query)) return null
  switch (method) {
    case 'GET':
      return query.has('uploadId') ? 'ListParts' : 'GetObject'
    case 'HEAD':
      return 'HeadObject'
    case 'PUT':
      if (query.has('uploadId')) return isCopy ? 'UploadPartCopy' : 'UploadPart'
      return isCopy ? 'CopyObject' : 'PutObject'
    case 'POST':
      if (query.has('uploads')) return 'CreateMultipartUpload'
      return query.has('uploadId') ? 'CompleteMultipartUpload' : null
    case 'DELETE':
      return query.has('uploadId') ? 'AbortMultipartUpload' : 'DeleteObject'
    default:
      return null
  }
}
