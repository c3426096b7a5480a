import { print } from '../print.ts'
import { withStorage } from './connect.ts'
import { listAllPaths, listPaths } from './list-paths.ts'
import type { StorageOptions } from './options.ts'
import { parseStorageUrl } from './storage-path.ts'

export interface ListOptions extends StorageOptions {
  readonly recursive?: boolean
}

/** Prints buckets, or the objects and folders of a path. */
export async function list(url: string, { recursive = false, ...place }: ListOptions): Promise<number> {
  const path = parseStorageUrl(url)
  return withStorage(place, async (api) => {
    for await (const found of recursive ? listAllPaths(api, path) : listPaths(api, path)) print(found)
    return 0
  })
}
