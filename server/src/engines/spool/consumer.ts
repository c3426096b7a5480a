import { setTimeout as delay } from 'node:timers/promises'
import { writeCursor } from './cursor.ts'
import type { SpoolLog } from './log.ts'
import type { BatchLimits, ReadBatch, SpoolReader } from './reader.ts'
import { deleteSegment, isBefore, listSegments, type Position } from './segments.ts'

/**
 * Stores one batch's rows of one target. A row may come again, in another batch than before: storing it twice must be
 * the same as storing it once. What it throws is tried again until it succeeds.
 *
 * @param lines blocks of JSON lines: each holds one row or several, with a newline between them
 */
export type SpoolSink = (lines: readonly Buffer[]) => Promise<void>

export interface ConsumerDeps {
  readonly folder: string
  readonly reader: SpoolReader
  /** By the targets' places in the list that the spool was opened with. */
  readonly sinks: readonly { readonly target: string; readonly sink: SpoolSink }[]
  readonly limits: BatchLimits
  /** A batch goes when the last one began this long ago, or earlier when it is full. */
  readonly batchMs: number
  /** Everything before this place is stored. */
  readonly done: Position
  /** The end of what is durable. */
  readonly committed: () => Position
  /** Whether a full batch is waiting. */
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
  /** Stops after the attempt under way; what was not stored stays in the spool. */
  close(): Promise<void>
}

/** How long a lone event waits for company, so that it is visible well within a second. */
const gatherMs = 40
const longestPauseMs = 5_000

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

  /** Tries until it succeeds; throws only when the consumer is being closed. */
  const persistently = async <T>(what: string, attempt: () => Promise<T>): Promise<T> => {
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      signal.throwIfAborted()
      try {
        return await attempt()
      } catch (cause) {
        trouble = `${what}: ${cause instanceof Error ? cause.message : String(cause)}`
        deps.log.warn({ err: cause, what, pauseMs }, 'spool: a batch could not be stored and is tried again')
        await delay(pauseMs, undefined, { signal })
      }
    }
  }

  const deliver = async (batch: ReadBatch): Promise<void> => {
    await Promise.all(
      deps.sinks.map(async ({ target, sink }, place) => {
        const lines = batch.records.filter((record) => record.target === place).map((record) => record.lines)
        if (lines.length === 0) return
        await persistently(target, () => sink(lines))
      }),
    )
    trouble = null
  }

  const forget = async (): Promise<void> => {
    for (const segment of await listSegments(deps.folder)) {
      if (segment < done.segment) await deleteSegment(deps.folder, segment)
    }
  }

  const storeNext = async (): Promise<void> => {
    const from = done
    const batch = await persistently('read', () => deps.reader.read(from, deps.committed(), deps.limits))
    if (batch.damagedBytes > 0) {
      deps.log.warn({ bytes: batch.damagedBytes, from }, 'spool: left out the torn end of a segment')
    }
    await deliver(batch)
    await persistently('cursor', () => writeCursor(deps.folder, batch.next))
    done = batch.next
    deps.stored(batch)
    if (batch.next.segment > from.segment) await forget()
  }

  const run = async (): Promise<void> => {
    let startedMs = 0
    while (!signal.aborted) {
      if (!isBefore(done, deps.committed())) {
        await pause(null)
        continue
      }
      await gather(Math.max(startedMs + deps.batchMs, deps.now().getTime() + gatherMs))
      startedMs = deps.now().getTime()
      await storeNext()
    }
  }

  const running = run().catch((cause: unknown) => {
    if (signal.aborted) return
    trouble = `stopped: ${cause instanceof Error ? cause.message : String(cause)}`
    deps.log.error({ err: cause }, 'spool: the consumer stopped')
  })

  return {
    wake: () => wake(),
    trouble: () => trouble,
    async close() {
      closing.abort()
      wake()
      await running
      await deps.reader.close()
    },
  }
}
