import { formatLsn, parseLsn } from '../../../engines/postgres/index.ts'
import type { BackupTarget } from '../target/target.ts'
import type { OpenStretch } from './open-stretch.ts'
import { putPart, removePart, type WalPart } from './parts.ts'
import { offsetOf, segmentOf, startOf } from './segments.ts'
import { type Stretch, writeStretch } from './stretch.ts'

/** Parts of a segment that is not full, before one takes the place of all of them. */
const mostParts = 60
/** How often it is noted that there is nothing new. */
const noteEveryMs = 60_000

/** What was kept of a segment is not what the server has: it is another log. */
export class LogDiverged extends Error {}

export interface SegmentWriterDeps {
  readonly target: BackupTarget
  /** Waits until so many bytes may be written. */
  readonly pace: (bytes: number) => Promise<void>
  /** Told when the log is kept up to `untilLsn`. */
  readonly kept: (stretch: Stretch) => void
}

/** Gathers the log of one segment at a time, in memory, and keeps it in parts. */
export function createSegmentWriter(opened: OpenStretch, { target, pace, kept }: SegmentWriterDeps) {
  let { stretch, parts } = opened
  const { segmentBytes } = stretch
  const bytes = Buffer.alloc(segmentBytes)
  let segment = segmentOf(parseLsn(stretch.untilLsn), segmentBytes)
  let filled = 0
  let keptTo = offsetOf(parseLsn(stretch.untilLsn), segmentBytes)
  /** What an earlier process has kept of the segment, until it is compared with what the server has. */
  let beginning: Buffer | null = opened.beginning

  const receivedLsn = (): bigint => startOf(segment, segmentBytes) + BigInt(filled)

  const keepBytes = async (): Promise<void> => {
    const isOne = filled === segmentBytes || parts.length >= mostParts
    const part: WalPart = { segment, from: isOne ? 0 : keptTo, to: filled }
    await putPart(target, stretch.id, part, bytes.subarray(part.from, part.to), pace)
    await target.settle()
    const others = parts.filter(({ from, to }) => from !== part.from || to !== part.to)
    keptTo = filled
    parts = isOne ? [part] : [...others, part]
    if (isOne) for (const other of others) await removePart(target, stretch.id, other)
  }

  /** @param at what was committed by then has been received; null where that is not known */
  const keep = async (at: Date | null): Promise<void> => {
    if (beginning !== null) {
      // The server sends the segment from its beginning.
      if (filled < beginning.length) return
      if (!bytes.subarray(0, beginning.length).equals(beginning)) throw new LogDiverged()
      beginning = null
    }
    const isNew = filled > keptTo
    const isLong = at !== null && at.getTime() - Date.parse(stretch.untilAt ?? '0') >= noteEveryMs
    if (!isNew && !isLong) return
    if (isNew) await keepBytes()
    const untilAt = at === null ? stretch.untilAt : at.toISOString()
    stretch = { ...stretch, untilLsn: formatLsn(receivedLsn()), untilAt }
    await writeStretch(target, stretch)
    kept(stretch)
  }

  return {
    receivedLsn,
    keep,
    /** Adds what follows; a segment that is full by it is kept. */
    async take(lsn: bigint, more: Buffer): Promise<void> {
      if (lsn !== receivedLsn())
        throw new Error(`The log goes on at ${formatLsn(lsn)}, not at ${formatLsn(receivedLsn())}.`)
      for (let at = 0; at < more.length; ) {
        const copied = more.copy(bytes, filled, at)
        at += copied
        filled += copied
        if (filled < segmentBytes) continue
        await keep(null)
        segment += 1
        filled = 0
        keptTo = 0
        parts = []
      }
    },
  }
}
