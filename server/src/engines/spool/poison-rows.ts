import type { Refusal } from '../../ground/model/refusal.ts'
import type { Sending, SpoolSink } from './consumer.ts'
import type { RefusedRows } from './refused.ts'

export interface SalvageOptions {
  readonly target: string
  readonly store: SpoolSink
  /** Stores those rows of a batch that fit and leaves the others out, where the engine can do so. */
  readonly storeFitting?: SpoolSink
  readonly refusalOf: (error: unknown) => Refusal
  readonly refused: RefusedRows
}

/** Attempts to store parts of a batch, beyond which what is left is set aside as it is. */
const mostTries = 50
/** A batch that failed this often is taken apart, even if its engine blames itself: a row may be why it fails. */
const patience = 8
/** So many parts refused by an engine that blames itself, and none stored: it is the engine. */
const triesInVain = 6

const newline = 0x0a

/** The rows of a block. */
export function rowsOf(block: Buffer): Buffer[] {
  const rows: Buffer[] = []
  let start = 0
  for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
    rows.push(block.subarray(start, end))
    start = end + 1
  }
  rows.push(block.subarray(start))
  return rows
}

/** Rows that did not go in, with why; of an engine's own trouble they may go in yet. */
interface Left {
  readonly blocks: readonly Buffer[]
  readonly refusal: Refusal
}

/**
 * Makes a sink that no row can block. A batch that is refused for its rows is halved, first between the requests that
 * brought them, then within one: what does not go in is set aside, all else is stored. It throws only when the engine
 * cannot store at the moment, in words that hold nothing of the rows.
 */
export function salvaging({ target, store, storeFitting, refusalOf, refused }: SalvageOptions): SpoolSink {
  const attempt = async (blocks: readonly Buffer[], sending: Sending): Promise<Refusal | null> => {
    try {
      await store(blocks, sending)
      return null
    } catch (error) {
      return refusalOf(error)
    }
  }

  const sort = async (whole: Left, sending: Sending): Promise<void> => {
    const unfit: Left[] = []
    const unclear: Left[] = []
    const waiting: Left[] = [whole]
    let stored: readonly Buffer[] | null = null
    let tries = 0
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { blocks, refusal } = next
      const [first] = blocks
      const pieces = blocks.length === 1 && first !== undefined ? rowsOf(first) : blocks
      if (pieces.length === 1 || tries >= mostTries) {
        if (refusal.blame === 'rows') unfit.push({ blocks, refusal })
        else unclear.push({ blocks, refusal })
        continue
      }
      const half = Math.ceil(pieces.length / 2)
      for (const part of [pieces.slice(0, half), pieces.slice(half)]) {
        sending.signal.throwIfAborted()
        tries += 1
        const answer = await attempt(part, sending)
        if (answer === null) stored = part
        else if (answer.blame === 'engine' && stored === null && tries >= triesInVain) throw new Error(answer.reason)
        else waiting.push({ blocks: part, refusal: answer })
      }
    }
    const guilty: Left[] = []
    for (const one of unclear) if (await isGuilty(one, stored, sending)) guilty.push(one)
    for (const { blocks, refusal } of [...unfit, ...guilty]) await setAside(blocks, refusal, sending)
    const [open] = unclear.filter((one) => !guilty.includes(one))
    if (open !== undefined) throw new Error(open.refusal.reason)
  }

  /** Whether a lone row fails while the engine stores another right before and after. */
  const isGuilty = async (left: Left, good: readonly Buffer[] | null, sending: Sending): Promise<boolean> => {
    if (good === null || left.blocks.length > 1 || left.blocks[0]?.includes(newline) !== false) return false
    const again = { ...sending, again: true }
    if ((await attempt(good, again)) !== null) return false
    if ((await attempt(left.blocks, again)) === null) return false
    return (await attempt(good, again)) === null
  }

  const setAside = async (blocks: readonly Buffer[], refusal: Refusal, sending: Sending): Promise<void> => {
    const rows = blocks.flatMap(rowsOf)
    await refused.keep(target, refusal.reason, rows)
    // There was no time to look at each: those that fit are stored as well, and stand in the file besides.
    if (rows.length > 1) await storeFitting?.(blocks, sending).catch(() => undefined)
  }

  return async (blocks, sending) => {
    const refusal = await attempt(blocks, sending)
    if (refusal === null) return
    if (refusal.blame === 'rows' || sending.attempt % patience === 0) await sort({ blocks, refusal }, sending)
    else throw new Error(refusal.reason)
  }
}
