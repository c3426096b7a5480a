import type { IncomingHttpHeaders } from 'node:http'
import { storageError } from '../errors.ts'

/** A whole number of bytes in a header; null where it is absent. @throws InvalidRequest for anything else */
export function readByteCount(headers: IncomingHttpHeaders, name: 'upload-length' | 'upload-offset'): number | null {
  const text = headers[name]
  if (text === undefined) return null
  const value = Number(text)
  if (!/^\d+$/.test(String(text)) || !Number.isSafeInteger(value))
    throw storageError('InvalidRequest', { message: `${name} is invalid` })
  return value
}

/** `Upload-Metadata`: names with values in Base64 (https://tus.io/protocols/resumable-upload#upload-metadata). */
export function parseUploadMetadata(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split(',')
      .map((pair) => pair.trim().split(/\s+/, 2))
      .filter(([name]) => name !== undefined && name !== '')
      .map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString('utf8')] as const),
  )
}

/** The value of `Upload-Metadata` of these fields. */
export const renderUploadMetadata = (fields: ReadonlyMap<string, string>): string =>
  [...fields].map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`).join(',')

/** The last part of an upload's address: what it uploads, and its id. */
export const renderUploadId = (bucketId: string, key: string, id: string): string =>
  Buffer.from(`${bucketId}/${key}/${id}`).toString('base64url')

/** The id of an upload's address, a UUID. @throws InvalidUploadId */
export function parseUploadId(text: string): string {
  const id = Buffer.from(text, 'base64url').toString('utf8').split('/').at(-1) ?? ''
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw storageError('InvalidUploadId')
  return id
}
