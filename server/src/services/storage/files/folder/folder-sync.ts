import { type FileHandle, open } from 'node:fs/promises'

/** Makes the names in folders durable. */
export interface FolderSync {
  sync(folder: string): Promise<void>
  /** A folder was made anew. */
  forget(folder: string): void
  close(): Promise<void>
}

/** Keeps each folder open: to open and close it would cost as much as to flush it, where the journal holds nothing more. */
export function createFolderSync(): FolderSync {
  const handles = new Map<string, Promise<FileHandle>>()
  const close = async (handle: Promise<FileHandle>): Promise<void> => (await handle).close()
  return {
    async sync(folder) {
      let handle = handles.get(folder)
      if (handle === undefined) {
        handle = open(folder, 'r')
        handles.set(folder, handle)
        handle.catch(() => handles.delete(folder))
      }
      await (await handle).sync()
    },
    forget(folder) {
      const handle = handles.get(folder)
      handles.delete(folder)
      if (handle !== undefined) close(handle).catch(() => undefined)
    },
    async close() {
      await Promise.allSettled([...handles.values()].map(close))
      handles.clear()
    },
  }
}
