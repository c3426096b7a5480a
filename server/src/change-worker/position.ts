import type { ChangeTransaction } from '../ground/model/change.ts'

/** How far the change stream was read. */
export interface Position {
  /** Whether a transaction, or part of one, was read already. */
  isPast(transaction: ChangeTransaction): boolean
  advance(transaction: ChangeTransaction): void
}

/** Commits are in the log in nearly the order of their times. */
const outOfOrderMs = 60_000

/**
 * A slot's next reader begins where the last one was confirmed: what comes again is known by its place in the log. A
 * database that was put back to an earlier state writes the same places again, in transactions that are younger.
 */
export function createPosition(): Position {
  let last: { readonly lsn: bigint; readonly offset: number; readonly atMs: number } | null = null
  return {
    isPast({ lsn, offset = 0, committedAt }) {
      if (last === null || committedAt.getTime() > last.atMs + outOfOrderMs) return false
      const place = placeOf(lsn)
      return place < last.lsn || (place === last.lsn && offset <= last.offset)
    },
    advance({ lsn, offset = 0, committedAt }) {
      last = { lsn: placeOf(lsn), offset, atMs: committedAt.getTime() }
    },
  }
}

/** `16/B374D848` as a number. */
function placeOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return BigInt(`0x${high}`) * 2n ** 32n + BigInt(`0x${low}`)
}
