import type { StorageSettings } from '../settings.ts'
import type { FileStore } from './file-store.ts'
import { createFolderStore } from './folder/folder-store.ts'

/** The dependencies of `openFileStore`. */
export interface OpenFileStoreDeps {
  /** Where files are, unless the settings name another folder. */
  readonly folder: string
  readonly now: () => Date
}

/** The store that the settings name. @throws errors of the file system for a folder that cannot be used */
export const openFileStore = (
  settings: Pick<StorageSettings, 'folder'>,
  { folder, now }: OpenFileStoreDeps,
): Promise<FileStore> => createFolderStore({ folder: settings.folder ?? folder, now })
