import { rowsOf } from '../../../engines/spool/index.ts'
import { objectOf } from '../../../ground/json/object.ts'
import { parseInstant } from '../event/time.ts'

/** The five texts of a line before its instant, the third of them the distinct id (`event/event-line.ts`). */
const head = /^\[(?:"(?:[^"\\]|\\.)*",){2}("(?:[^"\\]|\\.)*"),(?:"(?:[^"\\]|\\.)*",){2}(-?\d+),/
/** Most heads end here; names and ids may be longer, and are not longer than that. */
const usualHead = 512
const longestHead = 8192

/**
 * Which ids lines of `events` are of, each with the latest instant of its events, in milliseconds since 1970.
 *
 * @param blocks lines with a newline between them
 */
export function seenInLines(blocks: readonly Buffer[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  for (const line of blocks.flatMap(rowsOf)) {
    const found = head.exec(line.toString('latin1', 0, usualHead)) ?? head.exec(line.toString('latin1', 0, longestHead))
    if (found?.[1] === undefined) continue
    raise(seen, String(JSON.parse(Buffer.from(found[1], 'latin1').toString('utf8'))), Number(found[2]))
  }
  return seen
}

/** As `seenInLines`, of rows of `events` as JSON objects. */
export function seenInRows(rows: readonly string[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  for (const row of rows) {
    const { distinct_id: id, timestamp } = objectOf(JSON.parse(row)) ?? {}
    const atMs = parseInstant(timestamp)
    if (typeof id === 'string' && atMs !== null) raise(seen, id, atMs)
  }
  return seen
}

function raise(seen: Map<string, number>, id: string, atMs: number): void {
  if (atMs > (seen.get(id) ?? Number.NEGATIVE_INFINITY)) seen.set(id, atMs)
}
