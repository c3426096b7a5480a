import { storageError } from '../errors.ts'

/** What a request names: the service, a bucket or an object. Keys are decoded, and empty where none is named. */
export interface S3Address {
  readonly bucketId: string
  readonly key: string
}

/**
 * Reads a path in path style, `/bucket/key`.
 *
 * @param path below `/s3`, percent-encoded
 * @throws InvalidKey for what cannot be decoded
 */
export function parseAddress(path: string): S3Address {
  const trimmed = path.replace(/^\//, '')
  const slash = trimmed.indexOf('/')
  try {
    return slash < 0
      ? { bucketId: decodeURIComponent(trimmed), key: '' }
      : { bucketId: decodeURIComponent(trimmed.slice(0, slash)), key: decodeURIComponent(trimmed.slice(slash + 1)) }
  } catch (cause) {
    throw storageError('InvalidKey', { message: `Invalid key: ${trimmed}`, cause })
  }
}

/**
 * Reads `x-amz-copy-source`: `bucket/key` or `/bucket/key`, percent-encoded.
 *
 * @throws InvalidKey, InvalidRequest
 */
export function parseCopySource(header: string): S3Address {
  const [path = ''] = header.split('?versionId=')
  const source = parseAddress(path)
  if (source.key === '')
    throw storageError('InvalidRequest', { message: 'Copy Source must mention the source bucket and key' })
  return source
}
