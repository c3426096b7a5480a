import type { StorageSettings } from '../settings.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore } from './folder/folder-store.ts'
import { withReserve } from './reserve.ts'
import type { S3Bucket, S3Location } from './s3/bucket.ts'
import type { fileStoreSettings } from './settings.ts'

/** Why a store takes nothing for now. */
export interface StoreRoom {
  /** Whether the disk of the instance's own folder is short of space. */
  readonly isDiskShort: () => boolean
  /** Whether there are as many files as there may be, wherever they are. */
  readonly areFilesFull: () => boolean
}

const enoughRoom: StoreRoom = { isDiskShort: () => false, areFilesFull: () => false }

/**
 * The store that the settings name.
 *
 * @param folder where files are, unless the settings name another folder
 * @throws       errors of the file system for a folder that cannot be used
 */
export async function openFileStore(
  settings: Pick<StorageSettings, keyof typeof fileStoreSettings>,
  folder: string,
  { isDiskShort, areFilesFull }: StoreRoom = enoughRoom,
): Promise<FileStore> {
  if (settings.backend === 'folder') {
    // A folder that is named may be on another disk.
    if (settings.folder !== null) return withReserve(await createFolderStore(settings.folder), areFilesFull)
    return withReserve(await createFolderStore(folder), () => isDiskShort() || areFilesFull())
  }
  // Amazon's client is a megabyte of code, for those who need it.
  const { createS3Store } = await import('./s3/s3-store.ts')
  const store = createS3Store({
    endpoint: settings.s3Endpoint,
    region: settings.s3Region,
    bucket: settings.s3Bucket ?? '',
    get accessKeyId() {
      return settings.s3AccessKeyId ?? ''
    },
    get secretAccessKey() {
      return settings.s3SecretAccessKey ?? ''
    },
    timeoutSeconds: settings.s3TimeoutSeconds,
    pathStyle: settings.s3ForcePathStyle,
  })
  return withReserve(store, areFilesFull)
}

/** A bucket that is no store of objects, for other services; Amazon's client is loaded with it. */
export const openS3Bucket = async (location: S3Location): Promise<S3Bucket> =>
  (await import('./s3/bucket.ts')).openBucket(location)
