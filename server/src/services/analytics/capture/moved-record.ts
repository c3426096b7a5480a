import { type RenderedRecord, renderRecord, type SplitRecord, type SpoolRecord } from '../../../engines/spool/index.ts'
import { movable } from '../../../engines/threads/index.ts'
import { type EventTarget, placeOf } from '../targets.ts'

/** A record rendered in a thread, as it moves to the event loop. */
export interface MovedRecord {
  readonly target: EventTarget
  readonly rows: number
  readonly frame: readonly ArrayBuffer[]
}

/** Renders records in a thread. */
export const moveRecords = (
  records: readonly (SpoolRecord<EventTarget> | SplitRecord<EventTarget>)[],
): readonly MovedRecord[] =>
  records.map((record) => {
    const { target, rows } = record
    return { target, rows, frame: renderRecord(placeOf(target), record).map((part) => movable(part)) }
  })

/** The memory that moves with records. */
export const memoryOf = (records: readonly MovedRecord[]): readonly ArrayBuffer[] =>
  records.flatMap(({ frame }) => frame)

/** Records that a thread rendered. */
export const receiveRecords = (records: readonly MovedRecord[]): readonly RenderedRecord<EventTarget>[] =>
  records.map(({ target, rows, frame }) => ({ target, rows, frame: frame.map((part) => Buffer.from(part)) }))
