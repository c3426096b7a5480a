import type { InsertFailure } from '../../../ground/model/insert-failure.ts'
import type { Sending, SpoolSink } from './delivery.ts'
import type { RefusedRows } from './refused-rows.ts'

/** The table of a sink, and how its failures are classified. */
export interface PoisonRowsOptions {
  /** The table, as the file of refused rows names it. */
  readonly target: string
  readonly store: SpoolSink
  /** Stores those rows of a batch that fit and leaves the others out, where the engine can do so. */
  readonly storeFitting?: SpoolSink
  /** Tells an engine that cannot store now from rows that it will never take. */
  readonly classify: (error: unknown) => InsertFailure
  readonly refused: RefusedRows
}

/** Attempts to store parts of a batch; beyond it, the remaining parts are set aside whole. */
const maxAttempts = 50
/** A batch that failed this often is split even when the engine blames itself: one of its rows may be the cause. */
const splitAfterAttempts = 8
/** After this many failures that the engine blames on itself, with no part stored, the engine is taken to be down. */
const futileAttempts = 6

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

/** Rows that were not stored, and why. When the engine is to blame, a later attempt may store them. */
interface FailedPart {
  readonly blocks: readonly Buffer[]
  readonly failure: InsertFailure
}

/**
 * Wraps a sink so that no row blocks it. A batch that is refused for its rows is halved, first between the requests
 * that sent them, then within one request. Rows that are refused alone are set aside, all others are stored. The sink
 * throws only when the engine cannot store now, and its message quotes nothing of the rows.
 */
export function isolatePoisonRows({ target, store, storeFitting, classify, refused }: PoisonRowsOptions): SpoolSink {
  const attempt = async (blocks: readonly Buffer[], sending: Sending): Promise<InsertFailure | null> => {
    try {
      await store(blocks, sending)
      return null
    } catch (error) {
      return classify(error)
    }
  }

  const sort = async (whole: FailedPart, sending: Sending): Promise<void> => {
    const unfit: FailedPart[] = []
    const unclear: FailedPart[] = []
    const waiting: FailedPart[] = [whole]
    let stored: readonly Buffer[] | null = null
    let attempts = 0
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { blocks, failure } = next
      const [first] = blocks
      const pieces = blocks.length === 1 && first !== undefined ? rowsOf(first) : blocks
      if (pieces.length === 1 || attempts >= maxAttempts) {
        if (failure.blame === 'rows') unfit.push({ blocks, failure })
        else unclear.push({ blocks, failure })
        continue
      }
      const half = Math.ceil(pieces.length / 2)
      for (const part of [pieces.slice(0, half), pieces.slice(half)]) {
        sending.signal.throwIfAborted()
        attempts += 1
        const answer = await attempt(part, sending)
        if (answer === null) stored = part
        else if (answer.blame === 'engine' && stored === null && attempts >= futileAttempts)
          throw new Error(answer.reason)
        else waiting.push({ blocks: part, failure: answer })
      }
    }
    const poisonous: FailedPart[] = []
    for (const one of unclear) if (await isPoisonous(one, stored, sending)) poisonous.push(one)
    for (const { blocks, failure } of [...unfit, ...poisonous]) await setAside(blocks, failure, sending)
    const [open] = unclear.filter((one) => !poisonous.includes(one))
    if (open !== undefined) throw new Error(open.failure.reason)
  }

  /** Whether a lone row fails while the engine stores another right before and after. */
  const isPoisonous = async (left: FailedPart, good: readonly Buffer[] | null, sending: Sending): Promise<boolean> => {
    if (good === null || left.blocks.length > 1 || left.blocks[0]?.includes(newline) !== false) return false
    const again = { ...sending, again: true }
    if ((await attempt(good, again)) !== null) return false
    if ((await attempt(left.blocks, again)) === null) return false
    return (await attempt(good, again)) === null
  }

  const setAside = async (blocks: readonly Buffer[], failure: InsertFailure, sending: Sending): Promise<void> => {
    const rows = blocks.flatMap(rowsOf)
    await refused.write(target, failure.reason, rows)
    // There was no time to look at each: those that fit are stored as well, and stand in the file besides.
    if (rows.length > 1) await storeFitting?.(blocks, sending).catch(() => undefined)
  }

  return async (blocks, sending) => {
    const failure = await attempt(blocks, sending)
    if (failure === null) return
    if (failure.blame === 'rows' || sending.attempt % splitAfterAttempts === 0) await sort({ blocks, failure }, sending)
    else throw new Error(failure.reason)
  }
}
