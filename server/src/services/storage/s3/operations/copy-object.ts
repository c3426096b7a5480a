import type { StoredObject } from '../../objects/object.ts'
import { parseCopySource } from '../address.ts'
import type { Operate, S3Call, S3Services } from '../call.ts'
import { s3Error } from '../errors.ts'
import { renderDocument } from '../xml/render.ts'
import { metadataOf } from './parameters.ts'
import { checkPreconditions } from './preconditions.ts'

export const copyObject: Operate = async (services, call) => {
  const { own, name, headers } = call
  const source = await findCopySource(services, call)
  const replaces = parseDirective(headers['x-amz-metadata-directive'])
  const changes = replaces
    ? {
        mimeType: headers['content-type'] || 'application/octet-stream',
        cacheControl: headers['cache-control'] || 'no-cache',
        userMetadata: metadataOf(headers),
      }
    : {}
  const from = { bucketId: source.bucketId, key: source.key }
  const options = { owner: own.caller.subject, upsert: true, ...changes }
  const { file } = await services.objects.copy(own, from, name, options)
  const found = await services.reads.findOwn(own, own.caller, name)
  return {
    status: 200,
    body: renderDocument('CopyObjectResult', {
      LastModified: found.metadata.lastModified ?? found.updatedAt,
      ETag: file.etag,
    }),
  }
}

/** The object of `x-amz-copy-source`, if its conditions hold. @throws NoSuchKey, PreconditionFailed */
export async function findCopySource({ reads }: S3Services, { own, headers }: S3Call): Promise<StoredObject> {
  const { bucketId, key } = parseCopySource(headers['x-amz-copy-source'] ?? '')
  const source = await reads.findOwn(own, own.caller, { bucketId, key })
  checkPreconditions(source.metadata, {
    match: headers['x-amz-copy-source-if-match'],
    noneMatch: headers['x-amz-copy-source-if-none-match'],
    modifiedSince: headers['x-amz-copy-source-if-modified-since'],
    unmodifiedSince: headers['x-amz-copy-source-if-unmodified-since'],
  })
  return source
}

function parseDirective(directive = 'COPY'): boolean {
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw s3Error('InvalidArgument', { message: 'Unknown metadata directive.' })
  return directive === 'REPLACE'
}
