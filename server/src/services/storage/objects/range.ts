import { storageError } from '../errors.ts'
import type { ByteRange } from '../files/file-store.ts'

/**
 * The one range of a `range` header (RFC 9110 §14.2); null for the whole object.
 *
 * @throws InvalidRange for several, and for one outside of the object (storage §6)
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  const [, ranges] = /^bytes=(.*)$/i.exec(header?.trim() ?? '') ?? []
  if (ranges === undefined) return null
  const [, first = '', last = ''] = /^\s*(\d*)-(\d*)\s*$/.exec(ranges) ?? []
  if (first === '' && last === '') throw storageError('InvalidRange')
  const range =
    first === ''
      ? { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes - 1 }
      : { start: Number(first), end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) }
  if (range.start > range.end || (first === '' && Number(last) === 0)) throw storageError('InvalidRange')
  return range
}
