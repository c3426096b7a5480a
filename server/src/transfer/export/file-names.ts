import { join } from 'node:path'
import type { ObjectAddress } from '../files/storage-api.ts'

const longestName = 200

/**
 * The path of an object's file in an export, `storage/bucket/key`; null where a key is no path of a disk: it has an empty
 * name between slashes, a name that is longer than a disk's, or one that leads elsewhere.
 */
export function exportPathOf({ bucket, key }: ObjectAddress): string | null {
  const names = [bucket, ...key.split('/')]
  const isPath = names.every((name) => name !== '' && name !== '.' && name !== '..' && name.length <= longestName)
  return isPath && !/[\0\\]/.test(key) ? join('storage', ...names) : null
}
