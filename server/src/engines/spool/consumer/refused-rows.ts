import { mkdir, open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SpoolLog } from '../log.ts'

/** A file of rows that an engine refused for their content, so that nothing acknowledged is lost. */
export interface RefusedRows {
  /** Resolves when the rows are in the file. */
  write(target: string, reason: string, rows: readonly Buffer[]): Promise<void>
  /** Rows written since the start. */
  count(): number
}

export interface RefusedRowsDeps {
  readonly folder: string
  /** All files together stay below it: the oldest rows go first. */
  readonly limitBytes: number
  readonly now: () => Date
  readonly log: SpoolLog
}

const newest = 'rows.ndjson'
const older = 'rows.1.ndjson'
const newline = Buffer.from('\n')
const namesInLog = 5
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** Opens the folder with the first row that is refused. Its files hold personal data, as the tables do: mode 0600. */
export function createRefusedRows({ folder, limitBytes, now, log }: RefusedRowsDeps): RefusedRows {
  let count = 0
  let writing: Promise<void> = Promise.resolve()

  const append = async (text: Buffer): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, newest)
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    )
    // Two files of half the limit each: the latest rows stay.
    const half = Math.floor(limitBytes / 2)
    if (size > 0 && size + text.length > half) await rename(path, join(folder, older))
    const file = await open(path, 'a', 0o600)
    try {
      await file.writeFile(text.length <= half ? text : Buffer.concat([text.subarray(0, half - 1), newline]))
      await file.datasync()
    } finally {
      await file.close()
    }
  }

  return {
    async write(target, reason, rows) {
      const at = now().toISOString()
      const lines = rows.map((row) => `${JSON.stringify({ at, target, reason, row: row.toString() })}\n`)
      const before = writing
      const mine = before.then(() => append(Buffer.from(lines.join(''))))
      writing = mine.catch(() => undefined)
      await mine
      count += rows.length
      log.error(
        { target, reason, rows: rows.length, ids: rows.slice(0, namesInLog).map(idOf), folder },
        'spool: rows that do not fit their table were set aside',
      )
    },
    count: () => count,
  }
}

/** The first id in a row, of an event, a session or a request: enough to find it, and nothing personal. */
const idOf = (row: Buffer): string => uuid.exec(row.toString('latin1', 0, 1000))?.[0] ?? 'no id'
