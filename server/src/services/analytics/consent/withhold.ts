import { rowsOf } from '../../../engines/spool/index.ts'
import type { Consent } from '../../../ground/privacy/consent.ts'

/**
 * Leaves out the rows of visitors whose data may not be stored, right before they are stored.
 *
 * @param blocks   rows with a newline between them
 * @param idOfLine whose row it is; `''` where that is not said
 * @returns        the blocks themselves where nothing is left out
 */
export async function withhold(
  consent: Consent,
  blocks: readonly Buffer[],
  idOfLine: (line: Buffer) => string,
): Promise<readonly Buffer[]> {
  if (await consent.isOpen()) return blocks
  const rows = blocks.map((block) => rowsOf(block).map((line) => ({ line, id: idOfLine(line) })))
  const ids = [...new Set(rows.flat().map(({ id }) => id))]
  const kept = await consent.among(ids)
  if (kept.size === ids.length) return blocks
  return rows.flatMap((block, index) => {
    const left = block.filter(({ id }) => kept.has(id))
    if (left.length === block.length) return blocks[index] ?? []
    return left.length === 0
      ? []
      : [Buffer.concat(left.flatMap(({ line }, at) => (at === 0 ? [line] : [newline, line])))]
  })
}

const newline = Buffer.from('\n')

/** Whose recording a line is: session, window and uuid stand before the id. */
const snapshotHead = /^\{"session_id":"[^"]*","window_id":"[^"]*","uuid":"[^"]*","distinct_id":("(?:[^"\\]|\\.)*")/
/** A JSON text twice, which uuid and name are, and the distinct id behind them. */
const eventHead = /^\[(?:"(?:[^"\\]|\\.)*",){2}("(?:[^"\\]|\\.)*")/
const longestHead = 8192

const idOf =
  (head: RegExp) =>
  (line: Buffer): string => {
    const text = head.exec(line.toString('utf8', 0, longestHead))?.[1]
    return text === undefined ? '' : String(JSON.parse(text))
  }

/** Whose event a line of `events` is. */
export const idOfEventLine = idOf(eventHead)
/** Whose recording a line of `snapshots` is. */
export const idOfSnapshotLine = idOf(snapshotHead)
