import { join } from 'node:path'
import type { EngineHealth } from '../../ground/model/health.ts'
import { createArrivals } from './arrivals.ts'
import { startConsumer } from './consumer/consumer.ts'
import type { SpoolSink } from './consumer/delivery.ts'
import { describeHealth, type SpoolBacklog } from './health.ts'
import type { SpoolLog } from './log.ts'
import { recoverFolder, whyUnwritable } from './segments/folder.ts'
import { createSpoolReader, type ReadBatch } from './segments/reader.ts'
import {
  type Frame,
  type RenderedRecord,
  renderRecord,
  type SplitRecord,
  type SpoolRecord,
  type StoredRecord,
} from './segments/record.ts'
import { isBefore } from './segments/segments.ts'
import { createSegmentWriter, type Durability, type SegmentWriter } from './segments/writer.ts'
import type { SpoolSettings } from './settings.ts'
import { createSettlements } from './settlements.ts'
import { fullnessOf, initialState, isBatchFull, noteCommitted, noteStored, reserve, type SpoolState } from './state.ts'

/** A spool’s folder, and where its records go. */
export interface SpoolDeps<Target extends string> {
  readonly folder: string
  /** The kind of records, for messages: `events`. */
  readonly content: string
  /** The folder's targets. A record holds its target's place in this list: append only, for as long as the folder lives. */
  readonly targets: readonly Target[]
  readonly sinks: Readonly<Record<Target, SpoolSink>>
  /** Targets whose rows are stored one stage after another; those that are not named come last. */
  readonly stages?: readonly (readonly Target[])[]
  /**
   * What a record survives once `append` resolves: `disk` a power cut, by an `fdatasync` that waiting appends share;
   * `kernel` the end of the process in any way, by a mere write.
   */
  readonly durability: Durability
  readonly settings: SpoolSettings
  /**
   * Turns the records of a batch into those that are stored, in their order; where it rejects, the batch is read again. The
   * records of a batch that comes again must become the same rows.
   */
  readonly unfold?: (records: readonly StoredRecord[]) => Promise<readonly StoredRecord[]>
  /** Milliseconds between the beginnings of two batches, the first of so many rows; by default the setting's. */
  readonly batchMs?: (rows: number) => number
  /** Whether the disk is short of space, so that nothing is taken; never where nothing is given. */
  readonly isDiskShort?: (() => boolean) | undefined
  readonly now: () => Date
  readonly log: SpoolLog
}

type GivenRecord<Target extends string> = SpoolRecord<Target> | SplitRecord<Target> | RenderedRecord<Target>

/** A durable queue on one disk: records are in it before `append` resolves, and reach their sinks in order. */
export interface Spool<Target extends string = string> {
  /**
   * False when the backlog, or the disk, has no room for this; the sender should come back later.
   *
   * @throws when it cannot be written; then nothing was taken
   */
  append(records: readonly GivenRecord<Target>[]): Promise<boolean>
  backlog(): SpoolBacklog
  /** `down` when the spool makes no progress or cannot be written. */
  health(): Promise<EngineHealth>
  /** Resolves when everything that was appended before is stored. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a spool folder and goes on where the consumer was.
 *
 * @throws CLEW_SPOOL_UNUSABLE when the folder cannot be read or written
 */
export async function openSpool<Target extends string>(deps: SpoolDeps<Target>): Promise<Spool<Target>> {
  const { folder, content, durability, settings, now, log } = deps
  const nowMs = (): number => now().getTime()
  const recovered = await recoverFolder(folder, durability, log)
  const state = initialState(recovered.done, recovered.committed, recovered.bytes, nowMs())
  const arrivals = createArrivals()
  if (state.bytes > 0) arrivals.note(state.committed, nowMs())
  const settlements = createSettlements()

  const waitsMs = (): number => Math.max(0, nowMs() - (arrivals.oldestMs() ?? nowMs()))
  const consumer = startConsumer({
    ...consumption(deps),
    done: recovered.done,
    recovered: recovered.committed,
    committed: () => state.committed,
    full: () => settlements.isAwaited() || isBatchFull(state, settings),
    awaited: settlements.isAwaited,
    arrivedRows: () => state.arrivedRows,
    waitsMs,
    burstLagMs: settings.burstLagMs,
    stored(batch) {
      noteStored(state, batch, nowMs())
      arrivals.forget(batch.next)
      settlements.stored(batch.next)
    },
  })
  const writer = createSegmentWriter({
    folder,
    firstSegment: state.firstSegment,
    durability,
    segmentBytes: settings.segmentBytes,
    committed(end, bytes) {
      noteCommitted(state, end, bytes)
      arrivals.note(end, nowMs())
      consumer.wake()
    },
  })
  const backlog = (): SpoolBacklog => ({
    bytes: state.bytes,
    limitBytes: settings.backlogBytes,
    lagMs: waitsMs(),
    trouble: consumer.trouble(),
    damagedBytes: state.damagedBytes,
  })

  return {
    append: createAppend(deps, state, writer),
    backlog,
    async health() {
      const waitsSinceMs = Math.max(state.storedAtMs, arrivals.oldestMs() ?? nowMs())
      return describeHealth(content, folder, {
        ...backlog(),
        isFull: state.isFull,
        idleMs: nowMs() - waitsSinceMs,
        stuckMs: settings.stuckSeconds * 1000,
        // Tried anew: after a failed write the next append may be long in coming.
        unwritable: writer.trouble() === null ? null : await whyUnwritable(folder),
      })
    },
    async settled() {
      await writer.idle()
      if (!isBefore(consumer.done(), state.committed)) return
      const settled = settlements.waitFor(state.committed)
      consumer.wake()
      await settled
    },
    async close() {
      await writer.close()
      await consumer.close()
      settlements.close()
    },
  }
}

/** What the consumer is given of a spool's options. */
function consumption<Target extends string>(deps: SpoolDeps<Target>) {
  const { folder, targets, sinks, durability, settings, batchMs = () => settings.batchMs, now, log } = deps
  const { stages = [], unfold = async (records: readonly StoredRecord[]) => records } = deps
  const stageOf = (target: Target): number => {
    const stage = stages.findIndex((each) => each.includes(target))
    return stage === -1 ? stages.length : stage
  }
  return {
    folder,
    reader: createSpoolReader({
      folder,
      targets: targets.length,
      damageFolder: join(folder, 'damaged'),
      damageLimitBytes: settings.refusedBytes,
    }),
    sinks: targets.map((target) => ({ target, sink: sinks[target], stage: stageOf(target) })),
    unfold,
    durability,
    limits: { rows: Math.max(settings.batchRows, settings.maxBatchRows), bytes: settings.batchBytes },
    fullness: (batch: ReadBatch): number => fullnessOf(batch, settings),
    batchMs,
    now,
    log,
  }
}

/** Appends records where the backlog and the disk have room for them. */
function createAppend<Target extends string>(
  { targets, settings, isDiskShort = () => false }: SpoolDeps<Target>,
  state: SpoolState,
  writer: SegmentWriter,
): Spool<Target>['append'] {
  const frameOf = frameRenderer(targets)
  const write = (frames: readonly Buffer[], bytes: number, rows: number): Promise<true> =>
    writer.append(frames, bytes).then(
      () => {
        state.reservedBytes -= bytes
        state.rows += rows
        state.arrivedRows += rows
        return true
      },
      (cause: unknown) => {
        state.reservedBytes -= bytes
        throw cause
      },
    )
  // Not async: while a write waits for the disk, only its frames should be held, not the records' texts.
  return (records) => {
    if (isDiskShort()) return Promise.resolve(false)
    const frames: Buffer[] = []
    let [bytes, rows] = [0, 0]
    for (const record of records) {
      for (const part of frameOf(record)) {
        frames.push(part)
        bytes += part.length
      }
      rows += record.rows
    }
    if (!reserve(state, bytes, settings.backlogBytes)) return Promise.resolve(false)
    return write(frames, bytes, rows)
  }
}

/** Renders records with their targets' places; one that was rendered before keeps its frame. */
function frameRenderer<Target extends string>(targets: readonly Target[]) {
  const places = new Map(targets.map((target, place) => [target, place]))
  return (record: GivenRecord<Target>): Frame => {
    if ('frame' in record) return record.frame
    const place = places.get(record.target)
    if (place === undefined) throw new TypeError(`The spool was not opened with a target ${record.target}.`)
    return renderRecord(place, record)
  }
}
