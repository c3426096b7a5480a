import type { ReadBatch } from '../segments/reader.ts'
import type { Retries } from './retries.ts'

/** What a sink knows about the rows that it stores. */
export interface Sending {
  /** The rows may be stored already: an earlier attempt, or one of an earlier process, may have got that far. */
  readonly again: boolean
  /** 1 for the first. */
  readonly attempt: number
  /** Aborted when the spool is being closed. */
  readonly signal: AbortSignal
}

/**
 * Stores one batch's rows of one target. A row may come again, in another batch than before: storing it twice must
 * leave what storing it once leaves. A call that throws is repeated until it succeeds; the error's message is logged and
 * shown, and so quotes nothing of the rows.
 *
 * @param lines blocks of JSON lines: each holds one row or several, with a newline between them
 */
export type SpoolSink = (lines: readonly Buffer[], sending: Sending) => Promise<void>

/** A sink and the name of its target. */
export interface NamedSink {
  readonly target: string
  readonly sink: SpoolSink
  /** Rows of a lower stage are stored before those of a higher one. */
  readonly stage: number
}

export interface DeliveryDeps {
  /** Reads the batch; later calls may read more, as more was committed. */
  readonly read: () => Promise<ReadBatch>
  /** By the targets' places in the list that the spool was opened with. */
  readonly sinks: readonly NamedSink[]
  readonly retries: Pick<Retries, 'failed'>
  readonly signal: AbortSignal
}

/** The rows of one target that are not stored yet. */
interface Share extends NamedSink {
  readonly lines: readonly Buffer[]
}

interface FailedShare {
  readonly share: Share
  readonly cause: unknown
}

/** After so many attempts a batch is read again, with what came since: a row that fails alone is told from others. */
const attemptsAlike = 7

/**
 * Stores a batch in all its targets; only the targets that failed are tried again.
 *
 * @param again  the rows may be stored already
 * @returns      the batch that was stored, larger than the first one tried when that failed
 * @throws       when the signal is aborted
 */
export async function deliver(deps: DeliveryDeps, again: boolean): Promise<ReadBatch> {
  const { read, sinks, retries, signal } = deps
  let batch = await read()
  let shares = sharesOf(batch, sinks)
  for (let attempt = 1; ; attempt += 1) {
    const failures = await send(shares, { again: again || attempt > 1, attempt, signal })
    const [first] = failures
    if (first === undefined) return batch
    await retries.failed(first.share.target, first.cause, attempt)
    shares = failures.map(({ share }) => share)
    if (attempt % (attemptsAlike + 1) !== attemptsAlike) continue
    batch = await read()
    shares = sharesOf(batch, sinks)
  }
}

/** The batch's rows by target, in the order of the targets, without those that have none. */
const sharesOf = ({ records }: ReadBatch, sinks: readonly NamedSink[]): Share[] =>
  sinks
    .map((named, place) => ({
      ...named,
      lines: records.filter(({ target }) => target === place).map(({ lines }) => lines),
    }))
    .filter(({ lines }) => lines.length > 0)

/** Sends stage after stage; what follows a stage that failed waits with it. */
async function send(shares: readonly Share[], sending: Sending): Promise<readonly FailedShare[]> {
  const stages = [...new Set(shares.map(({ stage }) => stage))].toSorted((left, right) => left - right)
  for (const current of stages) {
    const failures = await sendAtOnce(
      shares.filter(({ stage }) => stage === current),
      sending,
    )
    const [first] = failures
    if (first === undefined) continue
    const later = shares.filter(({ stage }) => stage > current)
    return [...failures, ...later.map((share) => ({ share, cause: first.cause }))]
  }
  return []
}

async function sendAtOnce(shares: readonly Share[], sending: Sending): Promise<FailedShare[]> {
  const outcomes = await Promise.all(
    shares.map(async (share) => {
      try {
        await share.sink(share.lines, sending)
        return null
      } catch (cause) {
        return { share, cause }
      }
    }),
  )
  return outcomes.filter((outcome) => outcome !== null)
}
