import { restError } from '../../errors.ts'
import type { RowRange } from './types.ts'

const wholeNumber = /^\s*-?\d+\s*$/

/** `limit` or `offset` as sent; what is not a number is ignored (rest §4). */
export const parseWholeNumber = (text: string | undefined): number | null =>
  text !== undefined && wholeNumber.test(text) ? Number(text) : null

/** `limit` and `offset` of an embed. A negative limit is left for PostgreSQL to refuse. */
export const embedRange = (limit: number | null, offset: number | null): RowRange => ({
  limit,
  offset: Math.max(offset ?? 0, 0),
})

const below = (details: string) => restError('PGRST103', { details })

const headerRange = (header: string | undefined): { readonly first: number; readonly last: number | null } | null => {
  const match = /^(\d+)-(\d*)$/.exec(header ?? '')
  if (match === null) return null
  return { first: Number(match[1]), last: match[2] === '' ? null : Number(match[2]) }
}

/**
 * Which rows of the top level are requested: `limit` and `offset`, narrowed by the `Range` header of a GET.
 *
 * @throws PGRST103 for a range that is empty by its own words
 */
export function parseRootRange(bounds: {
  readonly limit: number | null
  readonly offset: number | null
  readonly header: string | undefined
}): RowRange {
  if (bounds.limit === 0) return { offset: 0, limit: 0 }
  const range = headerRange(bounds.header)
  if (range?.last !== undefined && range.last !== null && range.last < range.first) {
    throw below('The lower boundary must be lower than or equal to the upper boundary in the Range header.')
  }
  const ownFirst = Math.max(bounds.offset ?? 0, 0)
  const ownLast = bounds.limit === null ? null : ownFirst + bounds.limit - 1
  const first = Math.max(ownFirst, range?.first ?? 0)
  const lasts = [ownLast, range?.last ?? null].filter((last) => last !== null)
  const last = lasts.length === 0 ? null : Math.min(...lasts)
  if (last !== null && last < first) throw below('Limit should be greater than or equal to zero.')
  return { offset: first, limit: last === null ? null : last - first + 1 }
}

/** The range with a cap on its rows; the cap never widens it. */
export const capRange = (range: RowRange, maxRows: number | null): RowRange =>
  maxRows === null ? range : { offset: range.offset, limit: Math.min(range.limit ?? maxRows, maxRows) }

/** Whether a range takes everything. */
export const isUnbounded = (range: RowRange): boolean => range.offset === 0 && range.limit === null
