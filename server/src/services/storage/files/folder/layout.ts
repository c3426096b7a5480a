import { join } from 'node:path'
import type { FileId } from '../file-store.ts'

/** The folders of a store, all in one file system, so that a file is moved by its name alone. */
export interface FolderLayout {
  /** Finished files, in 256 folders by the last two digits of their ids, which are random in every kind of UUID. */
  readonly finished: string
  /** Files that grow by appending. */
  readonly partial: string
  /** Files that are being received; one that is an hour old was left by a process that ended. */
  readonly incoming: string
}

export const layoutOf = (root: string): FolderLayout => ({
  finished: join(root, 'objects'),
  partial: join(root, 'partial'),
  incoming: join(root, 'incoming'),
})

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a name is that of a file; another name in a folder is not the store's. */
export const isFileId = (name: string): boolean => pattern.test(name)

/** @throws TypeError for what is no UUID, so that no text of a client becomes a path */
export function shardOf({ finished }: FolderLayout, id: FileId): string {
  return join(finished, checkFileId(id).slice(-2))
}

/** @throws TypeError for what is no UUID */
export const finishedPath = (layout: FolderLayout, id: FileId): string => join(shardOf(layout, id), id)

/** @throws TypeError for what is no UUID */
export const partialPath = ({ partial }: FolderLayout, id: FileId): string => join(partial, checkFileId(id))

/** @throws TypeError for what is no UUID */
export function checkFileId(id: FileId): FileId {
  if (!isFileId(id)) throw new TypeError('A file’s id is a UUID in lower case.')
  return id
}
