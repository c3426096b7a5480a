import type { Column } from './api/schemas.ts'

/** Which object of storage a value of a table means. */
export type ObjectPlace =
  | { readonly id: string }
  | { readonly bucket: string; readonly search: ReturnType<typeof objectSearch> }

const storageUrl = /\/storage\/v1\/(?:object|render\/image)\/(?:public|sign|authenticated)\/([^/?#]+)\/([^?#]+)/

/**
 * The object that a column's value refers to: by its id, by `bucket/key`, or by an address of the storage API.
 *
 * @param buckets the buckets that there are: a text that names none of them is only a text
 */
export function findObjectPlace(
  { type, references }: Pick<Column, 'type' | 'references'>,
  value: string | null | undefined,
  buckets: ReadonlySet<string>,
): ObjectPlace | undefined {
  if (typeof value !== 'string') return undefined
  if (references?.schema === 'storage' && references.table === 'objects') return { id: value }
  if (!/^(text|character varying|varchar)/.test(type) || value.length > 4096) return undefined
  const [, bucket = '', key = ''] = storageUrl.exec(value)?.map(decode) ?? /^([^/]+)\/(.+[^/])$/.exec(value) ?? []
  return buckets.has(bucket) ? { bucket, search: objectSearch(key) } : undefined
}

/** What the screen of a bucket shows for an object: it is open, in its folder. */
export function objectSearch(key: string): { readonly object: string; readonly folder?: string } {
  const folder = key.slice(0, key.lastIndexOf('/') + 1)
  return { object: key, ...(folder !== '' && { folder }) }
}

/** A part of an address; one that is not encoded well stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
