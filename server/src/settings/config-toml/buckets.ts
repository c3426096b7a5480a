import { isObject } from '../../ground/json/object.ts'
import { sizeBytes } from './values.ts'

const known: ReadonlySet<string> = new Set(['public', 'file_size_limit', 'allowed_mime_types', 'objects_path'])

/**
 * The tables `[storage.buckets.<name>]` as our setting takes them: sizes in bytes, and absent what is empty (project-folder
 * §4). What is no table of buckets is refused as it is.
 *
 * @returns with the keys that a bucket does not have, as `images.cache`
 */
export function bucketsOf(value: unknown): { readonly buckets: unknown; readonly unknown: readonly string[] } {
  if (!isObject(value)) return { buckets: value, unknown: [] }
  const unknown: string[] = []
  const buckets = Object.entries(value).map(([name, table]) => {
    if (!isObject(table)) return [name, table]
    const entries = Object.entries(table).map(([key, said]) => [key.toLowerCase(), said] as const)
    unknown.push(...entries.filter(([key]) => !known.has(key)).map(([key]) => `${name}.${key}`))
    return [name, Object.fromEntries(entries.flatMap(([key, said]) => propertyOf(key, said)))]
  })
  return { buckets: Object.fromEntries(buckets), unknown }
}

/** A key with its value; none where nothing is said by it, as by a size of 0. */
function propertyOf(key: string, said: unknown): readonly (readonly [string, unknown])[] {
  if (!known.has(key) || said === '') return []
  const value = key === 'file_size_limit' && typeof said === 'string' ? (sizeBytes(said) ?? said) : said
  return key === 'file_size_limit' && value === 0 ? [] : [[key, value]]
}
