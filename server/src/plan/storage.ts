import { createStorage, openFileStore, type StorageDeps } from '../services/storage/index.ts'
import type { Settings } from '../settings/index.ts'
import type { InstanceKeys } from './instance.ts'

/** What object storage takes of the instance. */
export interface OpenStorageDeps extends Omit<StorageDeps, 'settings' | 'files' | 'keys' | 'newId'> {
  readonly keys: InstanceKeys
  /** Where files are, unless the settings name another place. */
  readonly folder: string
  readonly newId: () => string
}

/** Object storage with its files: in the data directory, or where the settings say. */
export async function openStorage({ storage }: Settings, { keys, folder, ...deps }: OpenStorageDeps) {
  const files = await openFileStore(storage, { folder, now: deps.now })
  return createStorage({ ...deps, files, keys: keys.tokens, settings: storage })
}
