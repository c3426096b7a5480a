import type { SpoolLog } from '../log.ts'
import { writeCursor } from '../segments/cursor.ts'
import type { BatchLimits, ReadBatch, SpoolReader } from '../segments/reader.ts'
import type { StoredRecord } from '../segments/record.ts'
import { deleteSegment, isBefore, listSegments, type Position } from '../segments/segments.ts'
import type { Durability } from '../segments/writer.ts'
import { deliver, type NamedSink } from './delivery.ts'
import { restAfterBatch } from './rest.ts'
import { createRetries, type Retries } from './retries.ts'
import { createWakeup } from './wakeup.ts'

export interface ConsumerDeps {
  readonly folder: string
  readonly reader: SpoolReader
  /** Turns the records of a batch into those that are stored. */
  readonly unfold: (records: readonly StoredRecord[]) => Promise<readonly StoredRecord[]>
  /** By the targets' places in the list that the spool was opened with. */
  readonly sinks: readonly NamedSink[]
  readonly durability: Durability
  readonly limits: BatchLimits
  /** A batch as a part of one that is stored at once. */
  readonly fullness: (batch: ReadBatch) => number
  /** Milliseconds between the beginnings of two batches, the first of so many rows; a full batch goes earlier. */
  readonly batchMs: (rows: number) => number
  /** Everything before this place is stored. */
  readonly done: Position
  /** The end of what an earlier process has left: some of it may be stored. */
  readonly recovered: Position
  /** The end of what is durable. */
  readonly committed: () => Position
  /** Whether to store at once: a batch is full, or a caller waits for it. */
  readonly full: () => boolean
  /** Whether a caller waits until all is stored. */
  readonly awaited: () => boolean
  /** Rows that were appended since the start. */
  readonly arrivedRows: () => number
  /** How long the oldest record has waited. */
  readonly waitsMs: () => number
  /** How long rows may wait while they keep coming. */
  readonly burstLagMs: number
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
  /** Stops after the attempt in flight; what was not stored stays in the spool. */
  close(): Promise<void>
}

/** How long a lone event waits for others, so that it is visible well within a second. */
const gatherMs = 40

/** Starts the consumer; rows of a batch that a crash interrupted go again. */
export function startConsumer(deps: ConsumerDeps): Consumer {
  const closing = new AbortController()
  const { signal } = closing
  const wakeup = createWakeup(signal)
  const retries = createRetries(signal, deps.folder, deps.log)
  let { done } = deps

  const waitUntil = async (untilMs: number, isEnough: () => boolean): Promise<void> => {
    while (!signal.aborted && !isEnough()) {
      const leftMs = untilMs - deps.now().getTime()
      if (leftMs <= 0) return
      await wakeup.pause(leftMs)
    }
  }

  const storeNext = async (): Promise<ReadBatch> => {
    const from = done
    const batch = await storeBatch(deps, retries, from, signal)
    retries.succeeded()
    done = batch.next
    deps.stored(batch)
    if (done.segment > from.segment)
      await retries.untilDone('old segments', () => deleteSegmentsBefore(deps.folder, done.segment))
    return batch
  }

  const run = async (): Promise<void> => {
    let startedMs = 0
    let rows = 0
    while (!signal.aborted) {
      if (!isBefore(done, deps.committed())) {
        await wakeup.pause(null)
        continue
      }
      await waitUntil(Math.max(startedMs + deps.batchMs(rows), deps.now().getTime() + gatherMs), deps.full)
      startedMs = deps.now().getTime()
      const arrivedBefore = deps.arrivedRows()
      const batch = await storeNext()
      rows = batch.rows
      const endedMs = deps.now().getTime()
      const arrivedRows = deps.arrivedRows() - arrivedBefore
      const waits = { waitsMs: deps.waitsMs(), burstLagMs: deps.burstLagMs }
      const facts = { tookMs: endedMs - startedMs, rows, fullness: deps.fullness(batch), arrivedRows, ...waits }
      await waitUntil(endedMs + restAfterBatch(facts), deps.awaited)
    }
  }

  const running = run().catch((cause: unknown) => {
    if (!signal.aborted) retries.stopped(cause)
  })

  return {
    wake: wakeup.wake,
    trouble: retries.trouble,
    done: () => done,
    async close() {
      closing.abort()
      wakeup.wake()
      await running
      await deps.reader.close()
    },
  }
}

/** Stores the batch at `from`, copies damaged bytes in it, and moves the cursor behind it. */
async function storeBatch(
  deps: ConsumerDeps,
  retries: Retries,
  from: Position,
  signal: AbortSignal,
): Promise<ReadBatch> {
  const read = (): Promise<ReadBatch> =>
    retries.untilDone('read', async () => {
      const batch = await deps.reader.read(from, deps.committed(), deps.limits)
      return { ...batch, records: await deps.unfold(batch.records) }
    })
  const batch = await deliver({ read, sinks: deps.sinks, retries, signal }, isBefore(from, deps.recovered))
  await setDamageAside(deps, retries, batch)
  await retries.untilDone('cursor', () => writeCursor(deps.folder, batch.next, deps.durability))
  return batch
}

async function setDamageAside(
  { reader, folder, log }: ConsumerDeps,
  retries: Retries,
  batch: ReadBatch,
): Promise<void> {
  for (const damage of batch.damage) {
    const copied = await retries.untilDone('damage', () => reader.setAside(damage))
    log.warn(
      { ...damage.at, bytes: damage.bytes, copied, folder },
      'spool: bytes that are no record, half written at a crash or damaged, were left out',
    )
  }
}

async function deleteSegmentsBefore(folder: string, first: number): Promise<void> {
  for (const segment of await listSegments(folder)) if (segment < first) await deleteSegment(folder, segment)
}
