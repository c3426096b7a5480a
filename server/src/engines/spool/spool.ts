import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../ground/errors/message.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import { createArrivals } from './arrivals.ts'
import { type SpoolSink, startConsumer } from './consumer.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { spoolError } from './errors.ts'
import { describeHealth, type SpoolBacklog } from './health.ts'
import type { SpoolLog } from './log.ts'
import { createSpoolReader } from './reader.ts'
import { type RenderedRecord, renderRecord, type SpoolRecord } from './record.ts'
import { isBefore, listSegments, type Position, recoverSegment, segmentBytes } from './segments.ts'
import type { SpoolSettings } from './settings.ts'
import { createSegmentWriter, type Durability } from './writer.ts'

/** A spool’s folder, and where its records go. */
export interface SpoolDeps<Target extends string> {
  readonly folder: string
  /** What it holds, for people: `events`. */
  readonly content: string
  /** The folder's targets. A record holds its target's place in this list: append only, for as long as the folder lives. */
  readonly targets: readonly Target[]
  readonly sinks: Readonly<Record<Target, SpoolSink>>
  /**
   * What a record outlives once `append` resolves: `disk` a power cut, by an `fdatasync` that all who wait share;
   * `kernel` the end of the process in any way, by a mere write.
   */
  readonly durability: Durability
  readonly settings: SpoolSettings
  /** Milliseconds between the beginnings of two batches, the first of so many rows; the setting's where not given. */
  readonly batchMs?: (rows: number) => number
  readonly now: () => Date
  readonly log: SpoolLog
}

/** A durable queue on one disk: records are in it before `append` resolves, and reach their sinks in order. */
export interface Spool<Target extends string = string> {
  /**
   * False when the backlog has no room for this; the sender should come back later.
   *
   * @throws when it cannot be written; then nothing was taken
   */
  append(records: readonly (SpoolRecord<Target> | RenderedRecord<Target>)[]): Promise<boolean>
  backlog(): SpoolBacklog
  /** How storing goes, for health: a spool that makes no progress, or cannot be written, is down. */
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
export async function openSpool<Target extends string>({
  folder,
  content,
  targets,
  sinks,
  durability,
  settings,
  batchMs = () => settings.batchMs,
  now,
  log,
}: SpoolDeps<Target>): Promise<Spool<Target>> {
  const places = new Map(targets.map((target, place) => [target, place]))
  const { done, committed: recovered, bytes: recoveredBytes } = await recover(folder, durability, log)
  let committed = recovered
  const firstSegment = Math.max(recovered.segment, done.segment) + 1

  let backlogBytes = recoveredBytes
  let reservedBytes = 0
  let waitingRows = 0
  let damagedBytes = 0
  let isFull = false
  const arrivals = createArrivals()
  if (backlogBytes > 0) arrivals.note(committed, now().getTime())
  let recoveredLeft = backlogBytes > 0
  let storedAtMs = now().getTime()
  let settling: { readonly end: Position; readonly resolve: () => void }[] = []

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
    reader: createSpoolReader({
      folder,
      targets: targets.length,
      damageFolder: join(folder, 'damaged'),
      damageLimitBytes: settings.refusedBytes,
    }),
    sinks: targets.map((target) => ({ target, sink: sinks[target] })),
    durability,
    limits: { rows: settings.batchRows, bytes: settings.batchBytes },
    batchMs,
    done,
    recovered,
    committed: () => committed,
    full: () =>
      recoveredLeft || settling.length > 0 || waitingRows >= settings.batchRows || backlogBytes >= settings.batchBytes,
    stored(batch) {
      backlogBytes = Math.max(0, backlogBytes - batch.bytes)
      waitingRows = Math.max(0, waitingRows - batch.rows)
      for (const { bytes } of batch.damage) damagedBytes += bytes
      recoveredLeft &&= batch.next.segment < firstSegment && backlogBytes > 0
      arrivals.forget(batch.next)
      storedAtMs = now().getTime()
      isFull = false
      for (const one of settling) if (!isBefore(batch.next, one.end)) one.resolve()
      settling = settling.filter(({ end }) => isBefore(batch.next, end))
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

  const backlog = (): SpoolBacklog => ({
    bytes: backlogBytes,
    limitBytes: settings.backlogBytes,
    lagMs: Math.max(0, now().getTime() - (arrivals.oldestMs() ?? now().getTime())),
    trouble: consumer.trouble(),
    damagedBytes,
  })

  return {
    // Not async: while a write waits for the disk, only its frames should be held, not the records' texts.
    append(records) {
      const frames = records.map((record) =>
        'frame' in record ? record.frame : renderRecord(placeOf(record.target), record),
      )
      const bytes = frames.reduce((sum, frame) => sum + frame.length, 0)
      if (backlogBytes + reservedBytes + bytes > settings.backlogBytes) {
        isFull = true
        return Promise.resolve(false)
      }
      return write(
        frames,
        bytes,
        records.reduce((sum, record) => sum + record.rows, 0),
      )
    },
    backlog,
    async health() {
      const sinceMs = Math.max(storedAtMs, arrivals.oldestMs() ?? now().getTime())
      return describeHealth(content, folder, {
        ...backlog(),
        isFull,
        idleMs: now().getTime() - sinceMs,
        stuckMs: settings.stuckSeconds * 1000,
        unwritable: writer.trouble() === null ? null : await whyUnwritable(folder),
      })
    },
    async settled() {
      await writer.idle()
      if (!isBefore(consumer.done(), committed)) return
      await new Promise<void>((resolve) => {
        settling.push({ end: committed, resolve })
        consumer.wake()
      })
    },
    async close() {
      await writer.close()
      await consumer.close()
      for (const { resolve } of settling) resolve()
    },
  }
}

/** Tries it anew: after a failed write it may be long until somebody sends again. */
async function whyUnwritable(folder: string): Promise<string | null> {
  const probe = join(folder, 'probe')
  try {
    await writeFile(probe, Buffer.alloc(4096), { mode: 0o600 })
    await rm(probe, { force: true })
    return null
  } catch (error) {
    return messageOf(error)
  }
}

interface Recovered {
  readonly done: Position
  readonly committed: Position
  readonly bytes: number
}

async function recover(folder: string, durability: Durability, log: SpoolLog): Promise<Recovered> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const segments = await listSegments(folder)
    const { done, problem } = await readCursor(folder, segments)
    if (problem !== null) {
      const message = 'spool: the cursor is of no use; what is in the folder is stored again, which changes nothing'
      log.warn({ folder, problem, from: done }, message)
    }
    if (segments.length === 0 || problem !== null) await writeCursor(folder, done, durability)

    const last = segments.at(-1)
    if (last === undefined) return { done, committed: done, bytes: 0 }
    const offset = await recoverSegment(folder, last)
    let bytes = 0
    for (const segment of segments) {
      if (segment > done.segment) bytes += await segmentBytes(folder, segment)
      if (segment === done.segment) bytes += (await segmentBytes(folder, segment)) - done.offset
    }
    return { done, committed: { segment: last, offset }, bytes: Math.max(0, bytes) }
  } catch (cause) {
    const reason = messageOf(cause)
    throw spoolError('CLEW_SPOOL_UNUSABLE', { message: `The spool in ${folder} cannot be used: ${reason}`, cause })
  }
}
