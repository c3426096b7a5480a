import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Position, syncFolder } from './segments.ts'

const fileName = 'cursor.json'

/** The place before which everything is stored, or null for a new folder. */
export async function readCursor(folder: string): Promise<Position | null> {
  try {
    // Written only by writeCursor, whole or not at all.
    return (JSON.parse(await readFile(join(folder, fileName), 'utf8')) as { readonly done: Position }).done
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(`The spool's ${fileName} cannot be read.`, { cause })
  }
}

/** Replaces the cursor: a crash leaves the old one or the new one. */
export async function writeCursor(folder: string, done: Position): Promise<void> {
  const temporary = join(folder, `${fileName}.new`)
  const handle = await open(temporary, 'w')
  try {
    await handle.writeFile(JSON.stringify({ done }))
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(temporary, join(folder, fileName))
  await syncFolder(folder)
}
