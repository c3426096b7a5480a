import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { isNamed } from './errors.ts'

/** A multipart upload that was neither completed nor aborted. */
export interface UnfinishedUpload {
  readonly key: string
  readonly uploadId: string
  readonly begunAt: Date
}

/** Multipart uploads that go on, or that a crash has left; none where the server does not tell. */
export async function* listUnfinished(
  client: S3Client,
  bucket: string,
  prefix: string,
): AsyncGenerator<UnfinishedUpload> {
  let marker: { readonly KeyMarker?: string | undefined; readonly UploadIdMarker?: string | undefined } = {}
  for (;;) {
    const page: ListMultipartUploadsCommandOutput | null = await client
      .send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker }))
      .catch((error: unknown) => {
        if (isNamed(error, 'NotImplemented')) return null
        throw error
      })
    for (const { Key = '', UploadId = '', Initiated = new Date() } of page?.Uploads ?? [])
      yield { key: Key, uploadId: UploadId, begunAt: Initiated }
    if (page?.IsTruncated !== true) return
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}

/** One that has ended meanwhile is not there any more. */
export async function abortUpload(
  client: S3Client,
  bucket: string,
  { key, uploadId }: Pick<UnfinishedUpload, 'key' | 'uploadId'>,
): Promise<void> {
  await client
    .send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }))
    .catch((error: unknown) => {
      if (!isNamed(error, 'NoSuchUpload')) throw error
    })
}
