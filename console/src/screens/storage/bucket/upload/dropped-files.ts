/** A file, and where it lay in the folders that were chosen: `photos/a.png`. */
export interface ChosenFile {
  readonly file: File
  readonly path: string
}

/** The files of an input; those of a folder have a path in it. */
export const chosenFiles = (files: FileList | null): readonly ChosenFile[] =>
  [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }))

/** The files that were dropped, those of folders included. */
export async function droppedFiles(data: DataTransfer): Promise<readonly ChosenFile[]> {
  // Entries are read before the first await: afterwards the browser has emptied the list.
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (entries.length === 0) return chosenFiles(data.files)
  return (await Promise.all(entries.map(filesOf))).flat()
}

async function filesOf(entry: FileSystemEntry): Promise<readonly ChosenFile[]> {
  if (isFileEntry(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  if (!isFolderEntry(entry)) return []
  const reader = entry.createReader()
  const found: ChosenFile[] = []
  // A reader answers a hundred entries a call, and none at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return found
    for (const each of batch) found.push(...(await filesOf(each)))
  }
}

// Chromium and WebKit have no classes of these names to ask.
const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
