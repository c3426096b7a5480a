import { hash } from 'node:crypto'

/** What 15 hexadecimal digits `f` are as a double: the rounding belongs to the algorithm. */
const scale = 2 ** 60

export type BucketHash = (key: string, bucket: string, salt?: string, separator?: string) => number

/**
 * Where a bucket falls for a flag, from 0 to 1: the first 15 hexadecimal digits of a SHA-1 (analytics §5.2).
 *
 * @param bucket    distinct id, group key or device id
 * @param salt      `variant` for the choice of a variant
 * @param separator between key and bucket: `.`, for holdouts `-`
 */
export const bucketHash: BucketHash = (key, bucket, salt = '', separator = '.') =>
  hashText(`${key}${separator}${bucket}${salt}`)

/** `bucketHash` that hashes each text once: conditions of a flag ask for one, and holdouts of all flags. */
export function createBucketHash(): BucketHash {
  const known = new Map<string, number>()
  return (key, bucket, salt = '', separator = '.') => {
    const text = `${key}${separator}${bucket}${salt}`
    const before = known.get(text)
    if (before !== undefined) return before
    const place = hashText(text)
    known.set(text, place)
    return place
  }
}

const hashText = (text: string): number => Number.parseInt(hash('sha1', text).slice(0, 15), 16) / scale
