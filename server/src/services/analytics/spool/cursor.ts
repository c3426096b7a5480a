import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Position, syncFolder } from './segments.ts'

/** What the consumer has promised itself, durable before it acts. */
export interface Cursor {
  /** Names this spool in deduplication tokens: a new folder never repeats an old folder's token. */
  readonly spoolId: string
  /** Everything before this place is stored. */
  readonly done: Position
  /** The batch under way ends here; after a crash the very same rows go again under the same token. */
  readonly until: Position | null
}

const fileName = 'cursor.json'

/** The cursor of a folder, or null for a new one. */
export async function readCursor(folder: string): Promise<Cursor | null> {
  try {
    // Written only by writeCursor, whole or not at all.
    return JSON.parse(await readFile(join(folder, fileName), 'utf8')) as Cursor
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(`The spool's ${fileName} cannot be read.`, { cause })
  }
}

/** Replaces the cursor: a crash leaves the old one or the new one. */
export async function writeCursor(folder: string, cursor: Cursor): Promise<void> {
  const temporary = join(folder, `${fileName}.new`)
  const handle = await open(temporary, 'w')
  try {
    await handle.writeFile(JSON.stringify(cursor))
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(temporary, join(folder, fileName))
  await syncFolder(folder)
}
