import type { ArchiveWriter } from '../copies/archive-writer.ts'
import { type FolderOptions, walkFolder } from './folder-files.ts'

/** Adds the files and links below a folder to an archive. The folder may go when it resolves. */
export async function copyFolder(writer: ArchiveWriter, folder: string, options: FolderOptions): Promise<void> {
  for await (const entry of walkFolder(folder, options)) {
    if (entry.kind === 'file') await writer.file(entry.file)
    else await writer.link(entry.path, entry.to)
  }
  await writer.flush()
}
