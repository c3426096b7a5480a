import type { Operate } from './call.ts'
import { abortUpload } from './multipart/abort-upload.ts'
import { completeUpload } from './multipart/complete-upload.ts'
import { createUpload } from './multipart/create-upload.ts'
import { listParts } from './multipart/list-parts.ts'
import { listUploads } from './multipart/list-uploads.ts'
import { uploadPart, uploadPartCopy } from './multipart/upload-part.ts'
import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  getBucketVersioning,
  headBucket,
  listBuckets,
} from './operations/buckets.ts'
import { copyObject } from './operations/copy-object.ts'
import { deleteObject, deleteObjects } from './operations/delete-objects.ts'
import { getObject, getObjectTagging, headObject } from './operations/get-object.ts'
import { listObjects, listObjectsV2 } from './operations/list-objects.ts'
import { putObject } from './operations/put-object.ts'
import type { S3Operation } from './plan-operation.ts'

/** The operations by their names; forms are signed in their fields, and read before their operation is known. */
export const operations: Readonly<Record<Exclude<S3Operation, 'PostObject'>, Operate>> = {
  ListBuckets: listBuckets,
  CreateBucket: createBucket,
  HeadBucket: headBucket,
  DeleteBucket: deleteBucket,
  GetBucketLocation: getBucketLocation,
  GetBucketVersioning: getBucketVersioning,
  ListObjects: listObjects,
  ListObjectsV2: listObjectsV2,
  DeleteObjects: deleteObjects,
  GetObject: getObject,
  HeadObject: headObject,
  GetObjectTagging: getObjectTagging,
  PutObject: putObject,
  CopyObject: copyObject,
  DeleteObject: deleteObject,
  CreateMultipartUpload: createUpload,
  UploadPart: uploadPart,
  UploadPartCopy: uploadPartCopy,
  CompleteMultipartUpload: completeUpload,
  AbortMultipartUpload: abortUpload,
  ListParts: listParts,
  ListMultipartUploads: listUploads,
}
