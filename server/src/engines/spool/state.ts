import type { ReadBatch } from './segments/reader.ts'
import type { Position } from './segments/segments.ts'
import type { SpoolSettings } from './settings.ts'

/** What a spool counts between "durable" and "stored". Changed in place: every `append` goes through it. */
export interface SpoolState {
  /** The end of what is durable. */
  committed: Position
  /** Bytes that are durable and not stored. */
  bytes: number
  /** Bytes of records that are being written. */
  reservedBytes: number
  /** Rows that were appended by this process and are not stored. */
  rows: number
  /** Rows that were appended by this process. */
  arrivedRows: number
  /** Bytes since the start that were no record and were left out. */
  damagedBytes: number
  /** The last append found no room. */
  isFull: boolean
  /** A part of what an earlier process left still waits. */
  hasRecovered: boolean
  /** When something was stored last, or the spool was opened. */
  storedAtMs: number
  /** The first segment of this process. */
  readonly firstSegment: number
}

/** The state of a folder that was just opened. */
export function initialState(done: Position, committed: Position, bytes: number, nowMs: number): SpoolState {
  return {
    committed,
    bytes,
    reservedBytes: 0,
    rows: 0,
    arrivedRows: 0,
    damagedBytes: 0,
    isFull: false,
    hasRecovered: bytes > 0,
    storedAtMs: nowMs,
    firstSegment: Math.max(committed.segment, done.segment) + 1,
  }
}

/** Reserves room for records that are about to be written; false when the backlog has none. */
export function reserve(state: SpoolState, bytes: number, limitBytes: number): boolean {
  if (state.bytes + state.reservedBytes + bytes > limitBytes) {
    state.isFull = true
    return false
  }
  state.reservedBytes += bytes
  return true
}

/** A group of records became durable. */
export function noteCommitted(state: SpoolState, end: Position, bytes: number): void {
  state.committed = end
  state.bytes += bytes
}

/** A batch was stored. */
export function noteStored(state: SpoolState, batch: ReadBatch, nowMs: number): void {
  state.bytes = Math.max(0, state.bytes - batch.bytes)
  state.rows = Math.max(0, state.rows - batch.rows)
  for (const { bytes } of batch.damage) state.damagedBytes += bytes
  state.hasRecovered &&= batch.next.segment < state.firstSegment && state.bytes > 0
  state.storedAtMs = nowMs
  state.isFull = false
}

type BatchSize = Pick<SpoolSettings, 'batchRows' | 'batchBytes'>

/** Rows or bytes, whichever is more, as a part of those at which a batch is stored at once. */
export const fullnessOf = ({ rows, bytes }: Pick<SpoolState, 'rows' | 'bytes'>, size: BatchSize): number =>
  Math.max(rows / size.batchRows, bytes / size.batchBytes)

/** Whether a batch should be stored now rather than wait for more records. */
export const isBatchFull = (state: SpoolState, size: BatchSize): boolean =>
  state.hasRecovered || fullnessOf(state, size) >= 1
