import { storageError } from '../../errors.ts'
import { isStorageError } from '../../http/error-response.ts'
import type { ObjectName } from '../../names/object-name.ts'
import type { Operate, S3Call } from '../call.ts'
import { checksumHeader } from '../chunked/checksums.ts'
import type { VerifiedBody } from '../chunked/read-body.ts'
import { s3Error } from '../errors.ts'
import { metadataOf } from './parameters.ts'

/** What an upload says of its object, besides the bytes. */
export const factsOf = ({ headers }: Pick<S3Call, 'headers'>) => ({
  mimeType: headers['content-type'] || 'application/octet-stream',
  cacheControl: headers['cache-control'] || 'no-cache',
  userMetadata: metadataOf(headers),
  robotsTag: null,
})

export const putObject: Operate = async ({ uploads }, call) => {
  const { own, sizeBytes, headers } = call
  const name = sizeBytes === 0 ? placeholderOf(call.name) : call.name
  const isNew = headers['if-none-match'] === '*'
  const options = { upsert: !isNew, owner: own.caller.subject }
  const facts = { ...factsOf(call), declaredBytes: sizeBytes }
  try {
    const limit = await uploads.admit(own, own.caller, name, facts, options)
    if (sizeBytes !== null && sizeBytes > limit) throw storageError('EntityTooLarge')
    const body = call.body()
    const { file } = await uploads.store(own, name, { ...facts, body: body.stream, isExact: true }, limit, options)
    return { status: 200, headers: { etag: file.etag, ...checksumHeaders(body) } }
  } catch (error) {
    if (isNew && isStorageError(error) && error.code === 'KeyAlreadyExists')
      throw s3Error('PreconditionFailed', { cause: error })
    throw error
  }
}

/** An empty folder is told by an object in it. */
const placeholderOf = ({ bucketId, key }: ObjectName): ObjectName => ({
  bucketId,
  key: key.endsWith('/') ? `${key}.emptyFolderPlaceholder` : key,
})

/** The checksums that the client sent and the server has verified. */
export const checksumHeaders = ({ checksums }: VerifiedBody): Readonly<Record<string, string>> =>
  Object.fromEntries([...checksums()].map(([algorithm, base64]) => [checksumHeader(algorithm), base64]))
