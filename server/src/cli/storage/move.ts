import { instanceError } from '../../errors.ts'
import { StorageRefusal } from '../../transfer/index.ts'
import { warn } from '../print.ts'
import { withStorage } from './connect.ts'
import { objectsAt } from './list-paths.ts'
import type { StorageOptions } from './options.ts'
import { joined, parseStorageUrl, placeIn } from './storage-path.ts'

export interface MoveOptions extends StorageOptions {
  readonly recursive?: boolean
}

const wrong = (message: string) => instanceError('CLEW_STORAGE_PATH', { message })

/** Gives an object, or with `--recursive` the objects of a folder, another name within their bucket. */
export async function move(from: string, to: string, { recursive = false, ...place }: MoveOptions): Promise<number> {
  const [source, target] = [parseStorageUrl(from), parseStorageUrl(to)]
  const { bucket, prefix: sourceKey } = placeIn(source)
  const { bucket: targetBucket, prefix: targetKey } = placeIn(target)
  if (sourceKey === '' && targetKey === '') throw wrong('Name an object, and not a bucket alone.')
  if (bucket !== targetBucket) throw wrong('Objects cannot be moved to another bucket.')
  return withStorage(place, async (api) => {
    if (!recursive || !source.endsWith('/')) {
      warn(`Moving object: ${source} => ${target}`)
      try {
        warn(await api.move(bucket, sourceKey, targetKey))
        return 0
      } catch (error) {
        if (!recursive || !isMissing(error)) throw error
      }
    }
    // Moved while they are listed, objects would change places between its pages.
    const paths: string[] = []
    for await (const path of objectsAt(api, joined(source, ''))) if (!path.endsWith('/')) paths.push(path)
    if (paths.length === 0) throw instanceError('CLEW_STORAGE_REFUSED', { message: `Object not found: ${source}` })
    for (const path of paths) {
      const moved = joined(target, path.slice(joined(source, '').length))
      warn(`Moving object: ${path} => ${moved}`)
      await api.move(bucket, placeIn(path).prefix, placeIn(moved).prefix)
    }
    return 0
  })
}

const isMissing = (error: unknown): boolean =>
  error instanceof StorageRefusal && (error.code === 'NoSuchKey' || error.code === 'not_found' || error.status === 404)
