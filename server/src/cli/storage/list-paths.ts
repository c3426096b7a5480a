import { pageSize, type StorageApi } from '../../transfer/index.ts'
import { placeIn } from './storage-path.ts'

/**
 * What begins with a path, one level deep: `bucket/` each for a path without a slash behind the bucket, else the objects
 * and folders (`docs/`) of the last folder of the path.
 */
export async function* listPaths(api: StorageApi, path: string): AsyncGenerator<string> {
  const { bucket, prefix } = placeIn(path)
  if (bucket === '' || (prefix === '' && !path.endsWith('/'))) {
    for (const { name } of await api.buckets()) if (name.startsWith(bucket)) yield `${name}/`
    return
  }
  for (let page = 0; ; page += 1) {
    const found = await api.list(bucket, prefix, page)
    for (const { name, id } of found) yield id === null ? `${name}/` : name
    if (found.length < pageSize) return
  }
}

/** Every object whose path begins with `path`, as `/bucket/key`; an empty bucket as `bucket/`. */
export async function* listAllPaths(api: StorageApi, path: string): AsyncGenerator<string> {
  const base = path.slice(0, path.lastIndexOf('/') + 1) || '/'
  const folders: string[] = []
  for await (const name of listPaths(api, path)) {
    if (name.endsWith('/')) folders.push(base + name)
    else yield base + name
  }
  yield* objectsBelow(api, folders)
}

/** The objects of folders and of those below them; an empty bucket as `bucket/`. */
async function* objectsBelow(api: StorageApi, folders: readonly string[]): AsyncGenerator<string> {
  const waiting = [...folders]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    let isEmpty = true
    for await (const name of listPaths(api, folder)) {
      isEmpty = false
      if (name.endsWith('/')) waiting.push(folder + name)
      else yield folder + name
    }
    const { bucket, prefix } = placeIn(folder)
    if (isEmpty && prefix === '') yield `${bucket}/`
  }
}

/** The object of a path, or those of the folder or bucket of that name; `docs` is not the beginning of `docs2`. */
export async function* objectsAt(api: StorageApi, path: string): AsyncGenerator<string> {
  if (path.endsWith('/')) return yield* objectsBelow(api, path === '/' ? await folders(api) : [path])
  const base = path.slice(0, path.lastIndexOf('/') + 1)
  const name = path.slice(base.length)
  for await (const found of listPaths(api, path)) {
    if (found === name) yield path
    if (found === `${name}/`) yield* objectsBelow(api, [`${path}/`])
  }
}

const folders = async (api: StorageApi): Promise<readonly string[]> =>
  (await api.buckets()).map(({ name }) => `/${name}/`)
