import { appendFile, open, rename, rm } from 'node:fs/promises'
import type { Checkpoint } from './checkpoint.ts'

/** A row that was left out. */
interface Reject {
  readonly file: string
  /** Of the file, from 1. */
  readonly row: number
  readonly reason: string
  readonly text: string
}

/** Writes a row that was left out beside the others, a line of JSON each. */
export const keepReject = (path: string, reject: Reject): Promise<void> =>
  appendFile(path, `${JSON.stringify(reject)}\n`)

/**
 * Counts the rows of files that earlier runs left out. Those behind what the checkpoint notes are removed: they are read once
 * more, and would be there twice.
 */
export async function keptRejects(
  path: string,
  files: ReadonlySet<string>,
  { rowsOf }: Pick<Checkpoint, 'rowsOf'>,
): Promise<number> {
  const before = await open(path).catch(() => null)
  if (before === null) return 0
  const kept = `${path}.part`
  let count = 0
  await rm(kept, { force: true })
  const after = await open(kept, 'a')
  try {
    for await (const line of before.readLines()) {
      const reject = parse(line)
      if (reject === null) continue
      const isOfImport = files.has(reject.file)
      if (isOfImport && reject.row > rowsOf(reject.file)) continue
      await after.write(`${line}\n`)
      if (isOfImport) count += 1
    }
  } finally {
    await after.close()
    await before.close()
  }
  await rename(kept, path)
  return count
}

/** Null for a line that is torn, as its process was killed. */
function parse(line: string): Pick<Reject, 'file' | 'row'> | null {
  try {
    const { file, row } = JSON.parse(line) as Partial<Reject>
    return typeof file === 'string' && typeof row === 'number' ? { file, row } : null
  } catch {
    return null
  }
}
