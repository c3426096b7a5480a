import { parseLsn } from '../../../engines/postgres/index.ts'

/** The number of the segment that a place in the log is in. */
export const segmentOf = (lsn: bigint, segmentBytes: number): number => Number(lsn / BigInt(segmentBytes))

/** The last segment that holds something before a place. */
export const lastSegmentBefore = (lsn: bigint, segmentBytes: number): number => segmentOf(lsn - 1n, segmentBytes)

export const startOf = (segment: number, segmentBytes: number): bigint => BigInt(segment) * BigInt(segmentBytes)

/** Bytes from the beginning of its segment to a place. */
export const offsetOf = (lsn: bigint, segmentBytes: number): number => Number(lsn % BigInt(segmentBytes))

/** The name of a segment in `pg_wal`: its timeline, and its number in two halves (`XLogFileName`). */
export function walFileName(timeline: number, segment: number, segmentBytes: number): string {
  const perHalf = 2 ** 32 / segmentBytes
  const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')
  return `${hex(timeline)}${hex(Math.floor(segment / perHalf))}${hex(segment % perHalf)}`
}

/** Whether one printed place is before another. */
export const isBefore = (lsn: string, other: string): boolean => parseLsn(lsn) < parseLsn(other)
