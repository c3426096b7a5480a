import type { StorageSettings } from '../settings.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore } from './folder/folder-store.ts'
import { createS3Store } from './s3/s3-store.ts'
import type { fileStoreSettings } from './settings.ts'

/** The dependencies of `openFileStore`. */
export interface OpenFileStoreDeps {
  /** Where files are, unless the settings name another folder. */
  readonly folder: string
  readonly now: () => Date
}

/** The store that the settings name. @throws errors of the file system for a folder that cannot be used */
export async function openFileStore(
  settings: Pick<StorageSettings, keyof typeof fileStoreSettings>,
  { folder, now }: OpenFileStoreDeps,
): Promise<FileStore> {
  if (settings.backend === 'folder') return createFolderStore({ folder: settings.folder ?? folder, now })
  return createS3Store({
    endpoint: settings.s3Endpoint,
    region: settings.s3Region,
    bucket: settings.s3Bucket ?? '',
    accessKeyId: settings.s3AccessKeyId ?? '',
    secretAccessKey: settings.s3SecretAccessKey ?? '',
    pathStyle: settings.s3ForcePathStyle,
  })
}
