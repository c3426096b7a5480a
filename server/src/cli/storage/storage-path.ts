import { instanceError } from '../../errors.ts'

/** Where a command finds an object, a folder or a bucket: an address of the Supabase CLI’s own scheme. */
const form = /^ss:\/\/(?<path>\/.*)$/is

/** Whether an argument names something in storage, and not a file of this machine. */
export const isStorageUrl = (text: string): boolean => /^ss:/i.test(text)

/**
 * The path of `ss:///bucket/key`: `/bucket/key`. What is percent-encoded is decoded.
 *
 * @throws CLEW_STORAGE_PATH
 */
export function parseStorageUrl(text: string): string {
  const path = form.exec(text)?.groups?.path
  if (path === undefined) throw instanceError('CLEW_STORAGE_PATH', { message: `${text} is no address in storage.` })
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A bucket, and what stands behind it in a path. */
export interface StoragePlace {
  /** Empty for all buckets. */
  readonly bucket: string
  /** A key, or the beginning of keys; empty for the whole bucket. */
  readonly prefix: string
}

export function placeIn(path: string): StoragePlace {
  const [bucket = '', ...rest] = path.replace(/^\//, '').split('/')
  return { bucket, prefix: rest.join('/') }
}

/** Whether a prefix can only be a folder. */
export const isFolderPrefix = (prefix: string): boolean => prefix === '' || prefix.endsWith('/')

/** The last name of a path, as `docs` of `/bucket/docs/`. */
export const baseOf = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? ''

/** A path and a name below it. */
export const joined = (path: string, name: string): string => (path.endsWith('/') ? path + name : `${path}/${name}`)
