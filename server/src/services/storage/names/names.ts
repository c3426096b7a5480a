import { storageError } from '../errors.ts'

const bucketName = /^[A-Za-z0-9_!.*'() &$@=;:+,?-]{1,100}$/
const objectKey = /^[A-Za-z0-9_/!.*'() &$@=;:+,?-]+$/

/** As many bytes as S3 allows; every character of a key is one byte. */
const longestKey = 1024

/** The suffix of buckets that the reference keeps for tables of analytics. */
const reservedSuffix = '--table-s3'

/** @throws InvalidBucketName for a name that no bucket may have (storage §4) */
export function checkBucketName(name: string): void {
  if (!bucketName.test(name) || name.trim() !== name || name.endsWith(reservedSuffix))
    throw storageError('InvalidBucketName')
}

/** @throws InvalidKey for a key that no object may have (storage §4) */
export function checkKey(key: string): void {
  const isLegal = objectKey.test(key) && key.length <= longestKey && !hasDotSegment(key)
  if (!isLegal) throw storageError('InvalidKey', { message: `Invalid key: ${key}` })
}

const hasDotSegment = (key: string): boolean => key.split('/').some((segment) => segment === '.' || segment === '..')

/** Whether a key marks an empty folder: its object has no bytes, and any type. */
export const isFolderPlaceholder = (key: string): boolean => key.endsWith('.emptyFolderPlaceholder')
