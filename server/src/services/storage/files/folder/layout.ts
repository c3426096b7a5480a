import { join } from 'node:path'
import type { FileId } from '../file-store.ts'

/** The folders of a store, all in one file system, so that a file is moved by its name alone. */
export interface FolderLayout {
  /** Files, in 256 folders by the last two digits of their ids, which are random in every kind of UUID. */
  readonly finished: string
  /** Files that grow by appending, and folders of joined ones that are being made. */
  readonly partial: string
}

export const layoutOf = (root: string): FolderLayout => ({
  finished: join(root, 'objects'),
  partial: join(root, 'partial'),
})

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const joinedSuffix = '.joined'

/** Whether a name is that of a file; another name in a folder is not the store's. */
export const isFileId = (name: string): boolean => pattern.test(name)

/** The file that a name in a folder belongs to; null for a name that is not the store's. */
export function fileIdOf(name: string): FileId | null {
  const id = name.endsWith(joinedSuffix) ? name.slice(0, -joinedSuffix.length) : name
  return isFileId(id) ? id : null
}

/** @throws TypeError for what is no UUID, so that no text of a client becomes a path */
export function shardOf({ finished }: FolderLayout, id: FileId): string {
  return join(finished, checkFileId(id).slice(-2))
}

/** @throws TypeError for what is no UUID */
export const finishedPath = (layout: FolderLayout, id: FileId): string => join(shardOf(layout, id), id)

/** The folder of a file that is joined from others. @throws TypeError for what is no UUID */
export const joinedPath = (layout: FolderLayout, id: FileId): string => `${finishedPath(layout, id)}${joinedSuffix}`

/** @throws TypeError for what is no UUID */
export const partialPath = ({ partial }: FolderLayout, id: FileId): string => join(partial, checkFileId(id))

/** @throws TypeError for what is no UUID */
export function checkFileId(id: FileId): FileId {
  if (!isFileId(id)) throw new TypeError('A file’s id is a UUID in lower case.')
  return id
}
