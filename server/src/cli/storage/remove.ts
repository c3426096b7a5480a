import { instanceError } from '../../errors.ts'
import { pageSize, type StorageApi, StorageRefusal } from '../../transfer/index.ts'
import { agrees } from '../confirm.ts'
import { bold, warn } from '../print.ts'
import { withStorage } from './connect.ts'
import { listPaths } from './list-paths.ts'
import type { StorageOptions } from './options.ts'
import { isFolderPrefix, parseStorageUrl, placeIn } from './storage-path.ts'

export interface RemoveOptions extends StorageOptions {
  readonly recursive?: boolean
  readonly yes?: boolean
}

const wrong = (message: string) => instanceError('CLEW_STORAGE_PATH', { message })
const needsRecursive = () => wrong('Folders and buckets are removed with -r alone.')

/** Removes objects; with `--recursive` folders, and buckets with all that is in them. */
export async function remove(
  urls: readonly string[],
  { recursive = false, yes = false, ...place }: RemoveOptions,
): Promise<number> {
  const groups = new Map<string, string[]>()
  for (const url of urls) {
    const { bucket, prefix } = placeIn(parseStorageUrl(url))
    if (bucket === '') throw wrong('Name a bucket.')
    if (isFolderPrefix(prefix) && !recursive) throw needsRecursive()
    groups.set(bucket, [...(groups.get(bucket) ?? []), prefix])
  }
  if (groups.size === 0 && !recursive) throw needsRecursive()
  return withStorage(place, async (api) => {
    if (groups.size === 0) for (const { name } of await api.buckets()) groups.set(name, [''])
    let refused = 0
    for (const [bucket, prefixes] of groups)
      if (await agrees(`Remove files in bucket ${bold(bucket)}?`, { yes, byDefault: false }))
        await removeFrom(api, bucket, prefixes, recursive)
      else refused += 1
    if (refused === groups.size && refused > 0) throw instanceError('CLEW_NOT_CONFIRMED')
    return 0
  })
}

async function removeFrom(
  api: StorageApi,
  bucket: string,
  prefixes: readonly string[],
  recursive: boolean,
): Promise<void> {
  // A name may be an object's as well as a folder's.
  const keys = prefixes.filter((prefix) => !isFolderPrefix(prefix))
  if (keys.length > 0) warn(`Deleting objects: ${keys.join(' ')}`)
  const removed = new Set(keys.length === 0 ? [] : await removeKeys(api, bucket, keys))
  for (const prefix of prefixes) {
    if (removed.has(prefix)) continue
    if (recursive) await removeFolder(api, bucket, prefix)
    else warn(`Object not found: ${prefix}`)
  }
}

async function removeFolder(api: StorageApi, bucket: string, prefix: string): Promise<void> {
  const folder = isFolderPrefix(prefix) ? prefix : `${prefix}/`
  const waiting = [folder]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    // A folder is read to its end before anything of it goes: its pages would move otherwise.
    const names: string[] = []
    for await (const name of listPaths(api, `/${bucket}/${each}`)) names.push(name)
    if (names.length === 0 && prefix !== '')
      throw instanceError('CLEW_STORAGE_REFUSED', { message: `Object not found: ${bucket}/${prefix}` })
    waiting.push(...names.filter((name) => name.endsWith('/')).map((name) => each + name))
    const keys = names.filter((name) => !name.endsWith('/')).map((name) => each + name)
    if (keys.length > 0) warn(`Deleting objects: ${keys.length} of ${bucket}/${each}`)
    await removeKeys(api, bucket, keys)
  }
  if (prefix !== '') return
  warn(`Deleting bucket: ${bucket}`)
  try {
    warn(await api.deleteBucket(bucket))
  } catch (error) {
    if (!(error instanceof StorageRefusal) || error.status !== 404) throw error
    warn(`Bucket not found: ${bucket}`)
  }
}

/** Removes keys in calls of as many as the service takes. */
async function removeKeys(api: StorageApi, bucket: string, keys: readonly string[]): Promise<readonly string[]> {
  const removed: string[] = []
  for (let at = 0; at < keys.length; at += pageSize)
    removed.push(...(await api.remove(bucket, keys.slice(at, at + pageSize))))
  return removed
}
