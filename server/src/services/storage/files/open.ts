import type { StorageSettings } from '../settings.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore } from './folder/folder-store.ts'
import { withReserve } from './reserve.ts'
import type { S3Bucket, S3Location } from './s3/bucket.ts'
import type { fileStoreSettings } from './settings.ts'

/**
 * The store that the settings name.
 *
 * @param folder      where files are, unless the settings name another folder
 * @param isDiskShort whether the disk of that folder is short of space, so that it takes no files
 * @throws            errors of the file system for a folder that cannot be used
 */
export async function openFileStore(
  settings: Pick<StorageSettings, keyof typeof fileStoreSettings>,
  folder: string,
  isDiskShort: () => boolean = () => false,
): Promise<FileStore> {
  if (settings.backend === 'folder') {
    // A folder that is named may be on another disk.
    if (settings.folder !== null) return createFolderStore(settings.folder)
    return withReserve(await createFolderStore(folder), isDiskShort)
  }
  // Amazon's client is a megabyte of code, for those who need it.
  const { createS3Store } = await import('./s3/s3-store.ts')
  return createS3Store({
    endpoint: settings.s3Endpoint,
    region: settings.s3Region,
    bucket: settings.s3Bucket ?? '',
    accessKeyId: settings.s3AccessKeyId ?? '',
    secretAccessKey: settings.s3SecretAccessKey ?? '',
    timeoutSeconds: settings.s3TimeoutSeconds,
    pathStyle: settings.s3ForcePathStyle,
  })
}

/** A bucket that is no store of objects, for other services; Amazon's client is loaded with it. */
export const openS3Bucket = async (location: S3Location): Promise<S3Bucket> =>
  (await import('./s3/bucket.ts')).openBucket(location)
