import { rowsOf } from '../../../engines/spool/index.ts'
import { alwaysAllowed, type Consent, mayBeStored, type RowTimes } from '../../../ground/privacy/consent.ts'

/** What is read of a line without the rest of it. */
export interface LineReader {
  /** Whose it is; `''` where that is not said. */
  readonly idOf: (line: Buffer) => string
  /** A line whose times are not found is older than any consent. */
  readonly timesOf: (line: Buffer) => RowTimes
}

/**
 * Leaves out the rows that may not be stored, by the decisions of their visitors, right before they are stored.
 *
 * @param blocks rows with a newline between them
 * @returns      the blocks themselves where nothing is left out
 */
export async function withhold(
  consent: Consent,
  blocks: readonly Buffer[],
  { idOf, timesOf }: LineReader,
): Promise<readonly Buffer[]> {
  if (await consent.isOpen()) return blocks
  const rows = blocks.map((block) => rowsOf(block).map((line) => ({ line, id: idOf(line) })))
  const ids = [...new Set(rows.flat().map(({ id }) => id))]
  const since = await consent.since(ids)
  if (ids.every((id) => since.get(id) === alwaysAllowed)) return blocks
  return rows.flatMap((block, index) => {
    const left = block.filter(({ line, id }) => mayBeStored(since.get(id), () => timesOf(line)))
    if (left.length === block.length) return blocks[index] ?? []
    return left.length === 0
      ? []
      : [Buffer.concat(left.flatMap(({ line }, at) => (at === 0 ? [line] : [newline, line])))]
  })
}

const newline = Buffer.from('\n')

/** Whose recording a line is, and its times: session, window and uuid stand before the id. */
const snapshotHead =
  /^\{"session_id":"[^"]*","window_id":"[^"]*","uuid":"[^"]*","distinct_id":("(?:[^"\\]|\\.)*"),"first_ts":(-?\d+),"last_ts":-?\d+,"sent_at":(-?\d+|null),"received_at":(-?\d+)/
/** A JSON text twice, which uuid and name are, and the distinct id behind them. */
const eventHead = /^\[(?:"(?:[^"\\]|\\.)*",){2}("(?:[^"\\]|\\.)*")/
/** Five texts, when it happened by our clock and by the client's, when it was sent, and when it arrived. */
const eventTimes = /^\[(?:"(?:[^"\\]|\\.)*",){5}(-?\d+),-?\d+,(?:-?\d+|null),(-?\d+)/
const longestHead = 8192

const headOf = (line: Buffer): string => line.toString('utf8', 0, longestHead)
const idIn = (found: RegExpExecArray | null): string => (found?.[1] === undefined ? '' : String(JSON.parse(found[1])))
const notFound: RowTimes = { receivedMs: Number.NEGATIVE_INFINITY, happenedMs: Number.NEGATIVE_INFINITY }

/** Lines of `events`. */
export const eventLines: LineReader = {
  idOf: (line) => idIn(eventHead.exec(headOf(line))),
  timesOf(line) {
    const found = eventTimes.exec(headOf(line))
    return found === null ? notFound : { happenedMs: Number(found[1]), receivedMs: Number(found[2]) }
  },
}

/** Lines of `snapshots`, whose messages happened when they begin. */
export const snapshotLines: LineReader = {
  idOf: (line) => idIn(snapshotHead.exec(headOf(line))),
  timesOf(line) {
    const found = snapshotHead.exec(headOf(line))
    if (found === null) return notFound
    const [, , firstMs, sentMs, receivedMs] = found.map(Number)
    if (firstMs === undefined || receivedMs === undefined) return notFound
    const offsetMs = sentMs === undefined || Number.isNaN(sentMs) ? 0 : receivedMs - sentMs
    return { happenedMs: firstMs + offsetMs, receivedMs }
  },
}
