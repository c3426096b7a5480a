import { hash } from 'node:crypto'

/** What 15 hexadecimal digits `f` are as a double: the rounding belongs to the algorithm. */
const scale = 2 ** 60

/**
 * Where a bucket falls for a flag, from 0 to 1: the first 15 hexadecimal digits of a SHA-1 (analytics §5.2).
 *
 * @param bucket    distinct id, group key or device id
 * @param salt      `variant` for the choice of a variant
 * @param separator between key and bucket: `.`, for holdouts `-`
 */
export const bucketHash = (key: string, bucket: string, salt = '', separator = '.'): number =>
  Number.parseInt(hash('sha1', `${key}${separator}${bucket}${salt}`).slice(0, 15), 16) / scale
