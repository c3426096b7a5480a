import type { S3Call } from '../call.ts'
import { s3Error } from '../errors.ts'
import { encodeUri } from '../signature/encode.ts'

/** A page has no more entries. */
export const largestPage = 1000

/**
 * A whole number of the query.
 *
 * @throws InvalidArgument
 */
export function numberOf({ query }: S3Call, name: string, fallback: number, most: number): number {
  const text = query.get(name)
  if (text === undefined || text === '') return fallback
  if (!/^\d{1,10}$/.test(text)) throw s3Error('InvalidArgument', { message: `${name} must be a whole number` })
  return Math.min(Number(text), most)
}

/** How names are written: as they are, or percent-encoded with their slashes, as `encoding-type=url` asks. */
export function nameWriter({ query }: S3Call): (name: string) => string {
  const type = query.get('encoding-type')
  if (type === undefined || type === '') return (name) => name
  if (type !== 'url') throw s3Error('InvalidArgument', { message: 'Invalid Encoding Method specified in Request' })
  return (name) => name.split('/').map(encodeUri).join('/')
}

/** The caller's own metadata: headers `x-amz-meta-…`; null without any. */
export function metadataOf(headers: S3Call['headers']): Readonly<Record<string, string>> | null {
  const prefix = 'x-amz-meta-'
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== undefined ? [[name.slice(prefix.length), value] as const] : [],
  )
  return pairs.length === 0 ? null : Object.fromEntries(pairs)
}
