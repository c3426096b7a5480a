import {
  createStorage,
  localS3AccessKey,
  openFileStore,
  type S3AccessKey,
  type StorageDeps,
  s3AccessKeyOf,
} from '../services/storage/index.ts'
import type { Settings } from '../settings/index.ts'
import { version } from '../version.ts'
import type { InstanceKeys } from './instance.ts'

/** What object storage takes of the instance. */
export interface OpenStorageDeps
  extends Omit<StorageDeps, 'settings' | 'files' | 'keys' | 'newId' | 's3Keys' | 'publicUrl' | 'version'> {
  readonly keys: InstanceKeys
  /** Where files are, unless the settings name another place. */
  readonly folder: string
  readonly newId: () => string
}

/** Object storage with its files: in the data directory, or where the settings say. */
export async function openStorage({ storage, instance }: Settings, { keys, folder, ...deps }: OpenStorageDeps) {
  const files = await openFileStore(storage, folder)
  const { anonKey, publishableKey } = keys.api
  return createStorage({
    ...deps,
    files,
    keys: keys.tokens,
    settings: storage,
    s3Keys: { accessKey: planS3AccessKey(instance, keys), publicKeys: [anonKey, publishableKey] },
    publicUrl: instance.publicUrl === null ? null : new URL(instance.publicUrl),
    version,
  })
}

/** The access key of the S3 protocol: the public one of local mode, or one of the data directory's own. */
export const planS3AccessKey = (
  { production }: Pick<Settings['instance'], 'production'>,
  { pepper }: Pick<InstanceKeys, 'pepper'>,
): S3AccessKey => (production ? s3AccessKeyOf(pepper) : localS3AccessKey)
