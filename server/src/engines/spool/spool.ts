import { mkdir } from 'node:fs/promises'
import { createArrivals } from './arrivals.ts'
import { type SpoolSink, startConsumer } from './consumer.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { SpoolLog } from './log.ts'
import { createSpoolReader } from './reader.ts'
import { renderRecord, type SpoolRecord } from './record.ts'
import { listSegments, type Position, recoverSegment, segmentBytes } from './segments.ts'
import type { SpoolSettings } from './settings.ts'
import { createSegmentWriter, type Durability } from './writer.ts'

export interface SpoolDeps<Target extends string> {
  readonly folder: string
  /** The folder's targets. A record holds its target's place in this list: append only, for as long as the folder lives. */
  readonly targets: readonly Target[]
  readonly sinks: Readonly<Record<Target, SpoolSink>>
  /**
   * What a record outlives once `append` resolves: `disk` a power cut, by an `fdatasync` that all who wait share;
   * `kernel` the end of the process in any way, by a mere write.
   */
  readonly durability: Durability
  readonly settings: SpoolSettings
  readonly now: () => Date
  readonly log: SpoolLog
}

/** What waits between "durable" and "stored". */
export interface SpoolBacklog {
  readonly bytes: number
  readonly limitBytes: number
  /** How long the oldest waiting record has waited, at most; 0 when nothing waits. */
  readonly lagMs: number
  /** Why the batch under way is being tried again; null when all is well. */
  readonly trouble: string | null
}

/** A durable queue on one disk: records are in it before `append` resolves, and reach their sinks in order. */
export interface Spool<Target extends string = string> {
  /** False when the backlog has no room for this; the sender should come back later. */
  append(records: readonly SpoolRecord<Target>[]): Promise<boolean>
  backlog(): SpoolBacklog
  close(): Promise<void>
}

/**
 * Opens a spool folder: cuts the torn end that a crash left, then goes on where the consumer was.
 *
 * @throws when the folder cannot be written or its cursor is unreadable
 */
export async function openSpool<Target extends string>({
  folder,
  targets,
  sinks,
  durability,
  settings,
  now,
  log,
}: SpoolDeps<Target>): Promise<Spool<Target>> {
  const places = new Map(targets.map((target, place) => [target, place]))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { done, committed: recovered, bytes: recoveredBytes } = await recover(folder, log)
  let committed = recovered
  const firstSegment = Math.max(recovered.segment, done.segment) + 1

  let backlogBytes = recoveredBytes
  let reservedBytes = 0
  let waitingRows = 0
  const arrivals = createArrivals()
  if (backlogBytes > 0) arrivals.note(committed, now().getTime())
  let recoveredLeft = backlogBytes > 0

  const writer = createSegmentWriter({
    folder,
    firstSegment,
    durability,
    segmentBytes: settings.segmentBytes,
    committed(end, bytes) {
      committed = end
      backlogBytes += bytes
      arrivals.note(end, now().getTime())
      consumer.wake()
    },
  })
  const consumer = startConsumer({
    folder,
    reader: createSpoolReader(folder),
    sinks: targets.map((target) => ({ target, sink: sinks[target] })),
    limits: { rows: settings.batchRows, bytes: settings.batchBytes },
    batchMs: settings.batchMs,
    done,
    committed: () => committed,
    full: () => recoveredLeft || waitingRows >= settings.batchRows || backlogBytes >= settings.batchBytes,
    stored(batch) {
      backlogBytes = Math.max(0, backlogBytes - batch.bytes)
      waitingRows = Math.max(0, waitingRows - batch.rows)
      recoveredLeft &&= batch.next.segment < firstSegment && backlogBytes > 0
      arrivals.forget(batch.next)
    },
    now,
    log,
  })

  const placeOf = (target: Target): number => {
    const place = places.get(target)
    if (place === undefined) throw new TypeError(`The spool was not opened with a target ${target}.`)
    return place
  }

  const write = async (frames: readonly Buffer[], bytes: number, rows: number): Promise<true> => {
    reservedBytes += bytes
    try {
      await writer.append(frames)
    } finally {
      reservedBytes -= bytes
    }
    waitingRows += rows
    return true
  }

  return {
    // Not async: while a write waits for the disk, only its frames should be held, not the records' texts.
    append(records) {
      const frames = records.map((record) => renderRecord(placeOf(record.target), record))
      const bytes = frames.reduce((sum, frame) => sum + frame.length, 0)
      if (backlogBytes + reservedBytes + bytes > settings.backlogBytes) return Promise.resolve(false)
      return write(
        frames,
        bytes,
        records.reduce((sum, record) => sum + record.rows, 0),
      )
    },
    backlog: () => ({
      bytes: backlogBytes,
      limitBytes: settings.backlogBytes,
      lagMs: Math.max(0, now().getTime() - (arrivals.oldestMs() ?? now().getTime())),
      trouble: consumer.trouble(),
    }),
    async close() {
      await writer.close()
      await consumer.close()
    },
  }
}

interface Recovered {
  readonly done: Position
  readonly committed: Position
  readonly bytes: number
}

async function recover(folder: string, log: SpoolLog): Promise<Recovered> {
  const segments = await listSegments(folder)
  const found = await readCursor(folder)
  const done = found ?? { segment: segments[0] ?? 0, offset: 0 }
  if (found === null) await writeCursor(folder, done)

  const last = segments.at(-1)
  if (last === undefined) return { done, committed: done, bytes: 0 }
  const { kept, cut } = await recoverSegment(folder, last)
  if (cut > 0) log.warn({ segment: last, bytes: cut }, 'spool: cut the torn end that a crash left')
  let bytes = 0
  for (const segment of segments) {
    if (segment > done.segment) bytes += await segmentBytes(folder, segment)
    if (segment === done.segment) bytes += (await segmentBytes(folder, segment)) - done.offset
  }
  return { done, committed: { segment: last, offset: kept }, bytes: Math.max(0, bytes) }
}
