import type { ArchiveWriter } from '../copies/archive-writer.ts'
import { copyFolder } from './copy-folder.ts'

const isCursor = (path: string): boolean => path.endsWith('cursor.json')

/**
 * Adds the spools. The places before which everything is stored come first: a segment that is deleted meanwhile was stored
 * then, and what is appended meanwhile is stored once more.
 */
export async function copySpool(writer: ArchiveWriter, folder: string): Promise<void> {
  // Names without a dot are folders.
  const isFolder = (path: string): boolean => !path.slice(path.lastIndexOf('/') + 1).includes('.')
  await copyFolder(writer, folder, {
    isImmutable: false,
    mayGo: true,
    takes: (path) => isFolder(path) || isCursor(path),
  })
  await copyFolder(writer, folder, { isImmutable: false, mayGo: true, takes: (path) => !isCursor(path) })
}
