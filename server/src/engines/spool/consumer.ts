import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../ground/errors/message.ts'
import { writeCursor } from './cursor.ts'
import type { SpoolLog } from './log.ts'
import type { BatchLimits, ReadBatch, SpoolReader } from './reader.ts'
import { deleteSegment, isBefore, listSegments, type Position } from './segments.ts'
import type { Durability } from './writer.ts'

/** What is known of rows that are sent. */
export interface Sending {
  /** They may be stored already: an attempt before this one, or a life before, may have got that far. */
  readonly again: boolean
  /** 1 for the first. */
  readonly attempt: number
  /** Aborted when the spool is being closed. */
  readonly signal: AbortSignal
}

/**
 * Stores one batch's rows of one target. A row may come again, in another batch than before: storing it twice must be
 * the same as storing it once. What it throws is tried again until it succeeds; its message is logged and shown, and
 * so holds nothing of the rows.
 *
 * @param lines blocks of JSON lines: each holds one row or several, with a newline between them
 */
export type SpoolSink = (lines: readonly Buffer[], sending: Sending) => Promise<void>

export interface ConsumerDeps {
  readonly folder: string
  readonly reader: SpoolReader
  /** By the targets' places in the list that the spool was opened with. */
  readonly sinks: readonly { readonly target: string; readonly sink: SpoolSink }[]
  readonly durability: Durability
  readonly limits: BatchLimits
  /** A batch goes when the last one, of so many rows, began this long ago, or earlier when it is full. */
  readonly batchMs: (rows: number) => number
  /** Everything before this place is stored. */
  readonly done: Position
  /** The end of what a life before has left: some of it may be stored. */
  readonly recovered: Position
  /** The end of what is durable. */
  readonly committed: () => Position
  /** Whether a full batch is waiting, or nobody waits for more. */
  readonly full: () => boolean
  /** Called when a batch is stored. */
  readonly stored: (batch: ReadBatch) => void
  readonly now: () => Date
  readonly log: SpoolLog
}

/** Takes committed records to their tables, batch after batch, in order. */
export interface Consumer {
  /** Says that more was committed. */
  wake(): void
  /** The last failure, while it is being tried again. */
  trouble(): string | null
  /** Everything before this place is stored. */
  done(): Position
  /** Stops after the attempt under way; what was not stored stays in the spool. */
  close(): Promise<void>
}

/** How long a lone event waits for company, so that it is visible well within a second. */
const gatherMs = 40
const longestPauseMs = 5_000
/** After so many attempts a batch is read again, with what came since: a row that fails alone is told from others. */
const attemptsAlike = 7

/** Starts the consumer; rows of a batch that a crash interrupted go again. */
export function startConsumer(deps: ConsumerDeps): Consumer {
  const closing = new AbortController()
  const { signal } = closing
  let { done } = deps
  let trouble: string | null = null
  let wake = (): void => undefined

  /** Until woken, or until `ms` have passed. */
  const pause = (ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === null ? null : setTimeout(resolve, ms)
      wake = () => {
        if (timer !== null) clearTimeout(timer)
        resolve()
      }
      if (signal.aborted) wake()
    })

  const gather = async (untilMs: number): Promise<void> => {
    while (!signal.aborted && !deps.full()) {
      const left = untilMs - deps.now().getTime()
      if (left <= 0) return
      await pause(left)
    }
  }

  const failed = async (what: string, cause: unknown, attempt: number): Promise<void> => {
    signal.throwIfAborted()
    const pauseMs = Math.min(100 * 2 ** (attempt - 1), longestPauseMs)
    trouble = `${what}: ${messageOf(cause)}`
    deps.log.warn({ trouble, pauseMs, folder: deps.folder }, 'spool: what waits could not be stored and is tried again')
    await delay(pauseMs, undefined, { signal })
  }

  /** Tries until it succeeds; throws only when the consumer is being closed. */
  const persistently = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted()
      try {
        return await work()
      } catch (cause) {
        await failed(what, cause, attempt)
      }
    }
  }

  const linesOf = (batch: ReadBatch): readonly (readonly Buffer[])[] =>
    deps.sinks.map((_, place) => batch.records.filter(({ target }) => target === place).map(({ lines }) => lines))

  const setAside = async (batch: ReadBatch): Promise<void> => {
    for (const damage of batch.damage) {
      const kept = await persistently('damage', () => deps.reader.setAside(damage))
      deps.log.warn(
        { ...damage.at, bytes: damage.bytes, kept, folder: deps.folder },
        'spool: bytes that are no record, half written at a crash or damaged, were left out',
      )
    }
  }

  /** Delivers what waits at a place; returns the batch that was stored, larger than the first one it tried when that failed. */
  const deliver = async (from: Position): Promise<ReadBatch> => {
    const read = (): Promise<ReadBatch> =>
      persistently('read', () => deps.reader.read(from, deps.committed(), deps.limits))
    let batch = await read()
    let waiting = linesOf(batch).map((lines, place) => ({ lines, place }))
    let again = isBefore(from, deps.recovered)
    for (let attempt = 1; ; attempt += 1) {
      const sending: Sending = { again, attempt, signal }
      const outcomes = await Promise.all(
        waiting.map(async (one) => {
          const { target = '', sink } = deps.sinks[one.place] ?? {}
          try {
            if (one.lines.length > 0) await sink?.(one.lines, sending)
            return null
          } catch (cause) {
            return { one, target, cause }
          }
        }),
      )
      const failures = outcomes.filter((outcome) => outcome !== null)
      const [failure] = failures
      if (failure === undefined) return batch
      await failed(failure.target, failure.cause, attempt)
      waiting = failures.map(({ one }) => one)
      again = true
      if (attempt % (attemptsAlike + 1) !== attemptsAlike) continue
      batch = await read()
      waiting = linesOf(batch).map((lines, place) => ({ lines, place }))
    }
  }

  const forget = async (): Promise<void> => {
    for (const segment of await listSegments(deps.folder)) {
      if (segment < done.segment) await deleteSegment(deps.folder, segment)
    }
  }

  const storeNext = async (): Promise<number> => {
    const from = done
    const batch = await deliver(from)
    await setAside(batch)
    await persistently('cursor', () => writeCursor(deps.folder, batch.next, deps.durability))
    trouble = null
    done = batch.next
    deps.stored(batch)
    if (batch.next.segment > from.segment) await persistently('old segments', forget)
    return batch.rows
  }

  const run = async (): Promise<void> => {
    let startedMs = 0
    let rows = 0
    while (!signal.aborted) {
      if (!isBefore(done, deps.committed())) {
        await pause(null)
        continue
      }
      await gather(Math.max(startedMs + deps.batchMs(rows), deps.now().getTime() + gatherMs))
      startedMs = deps.now().getTime()
      rows = await storeNext()
    }
  }

  const running = run().catch((cause: unknown) => {
    if (signal.aborted) return
    trouble = `stopped: ${messageOf(cause)}`
    deps.log.error({ err: cause }, 'spool: the consumer stopped')
  })

  return {
    wake: () => wake(),
    trouble: () => trouble,
    done: () => done,
    async close() {
      closing.abort()
      wake()
      await running
      await deps.reader.close()
    },
  }
}
