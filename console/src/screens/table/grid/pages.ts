import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Row, RowPage, Table } from '../../../lib/api/schemas.ts'
import { type Narrowing, pageQuery, pageSize } from '../queries.ts'

/** A page as it is asked for: by its number from the start or from the end, whichever is nearer. */
export interface PagePlace {
  readonly page: number
  readonly fromEnd: boolean
}

/** Rows from `first` up to, not including, `end`. */
interface RowSpan {
  readonly first: number
  readonly end: number
}

/** Rows near the end of a known number are read from there: an offset costs PostgreSQL the rows before it. */
function pagePlaces(first: number, end: number, total: number, isExact: boolean): readonly PagePlace[] {
  const last = Math.max(0, Math.ceil(Math.min(end, Math.max(1, total)) / pageSize) - 1)
  const start = Math.min(last, Math.floor(first / pageSize))
  const numbers = Array.from({ length: last - start + 1 }, (_, index) => start + index)
  // Pages from both ends meet only where the total is a multiple of their size; it is not, so they are counted apart.
  if (!isExact || first < total / 2 || total <= 10 * pageSize) return numbers.map((page) => ({ page, fromEnd: false }))
  const [nearest, farthest] = [Math.max(0, total - end), total - first]
  const from = Math.floor(nearest / pageSize)
  const to = Math.floor(Math.max(nearest, farthest - 1) / pageSize)
  return Array.from({ length: to - from + 1 }, (_, index) => ({ page: from + index, fromEnd: true }))
}

/** The rows of a window and what else is of their pages; the one before where these are its pages. */
function wholePages(before: RowSpan, nextFirst: number, nextEnd: number): RowSpan {
  const first = Math.floor(nextFirst / pageSize) * pageSize
  const end = Math.ceil(nextEnd / pageSize) * pageSize
  return before.first === first && before.end === end ? before : { first, end }
}

/** Rows of a table by their number, as far as they have come. */
export interface RowPages {
  readonly rowAt: (index: number) => Row | undefined
  readonly total: number
  readonly isEstimate: boolean
  /** Nothing is known of the rows yet. */
  readonly isPending: boolean
  readonly error: Error | null
  readonly refetch: () => void
  readonly onWindow: (first: number, end: number) => void
}

/** The pages of a table's rows that are in sight, whichever these are. */
export function useRowPages({ schema, name }: Pick<Table, 'schema' | 'name'>, narrowing: Narrowing): RowPages {
  const [{ first, end }, setWindow] = useState<RowSpan>({ first: 0, end: pageSize })
  const [known, setKnown] = useState<KnownTotal & { readonly of: string }>()
  const of = JSON.stringify([schema, name, narrowing])
  const isKnown = known?.of === of
  const total = isKnown ? known.total : pageSize
  const places = pagePlaces(isKnown ? first : 0, isKnown ? end : pageSize, total, isKnown && !known.isEstimate)
  const results = useQueries({
    queries: places.map(({ page, fromEnd }) => pageQuery(schema, name, narrowing, page, fromEnd)),
  })
  const newest = results.find(({ data }) => data !== undefined)?.data
  const next =
    newest &&
    totalOf(
      newest,
      places,
      results.map(({ data }) => data),
    )
  if (next && (!isKnown || replaces(next, known))) setKnown({ of, ...next })
  const rowAt = (index: number): Row | undefined => {
    for (const [at, { page, fromEnd }] of places.entries()) {
      const rows = results[at]?.data?.rows
      if (rows === undefined) continue
      const begin = fromEnd ? total - page * pageSize - rows.length : page * pageSize
      if (index >= begin && index < begin + rows.length) return rows[index - begin]
    }
    return undefined
  }
  const failed = results.find(({ error }) => error !== null)
  return {
    rowAt,
    total: isKnown ? total : 0,
    isEstimate: isKnown && known.isEstimate,
    isPending: !isKnown && failed === undefined,
    error: failed?.error ?? null,
    refetch: () => {
      for (const result of results) void result.refetch()
    },
    onWindow: (nextFirst, nextEnd) => setWindow((before) => wholePages(before, nextFirst, nextEnd)),
  }
}

/** How many rows there are, as far as is known. */
interface KnownTotal {
  readonly total: number
  readonly isEstimate: boolean
  /** What the server said; it was counted, or estimated. */
  readonly reported: number
}

/** Whether a total is news. The end of the rows, once seen, stands until the server says another number. */
const replaces = (next: KnownTotal, known: KnownTotal): boolean =>
  next.reported !== known.reported ||
  (next.isEstimate === known.isEstimate ? next.total !== known.total : known.isEstimate)

/** The total by the pages that have come: where it is estimated, at least the rows that were seen, and no more once the last was. */
export function totalOf(
  { total, totalIsEstimate }: Pick<RowPage, 'total' | 'totalIsEstimate'>,
  places: readonly PagePlace[],
  pages: readonly (Pick<RowPage, 'rows'> | undefined)[],
): KnownTotal {
  if (!totalIsEstimate) return { total, isEstimate: false, reported: total }
  const lengths = new Map<number, number>()
  for (const [at, { page, fromEnd }] of places.entries()) {
    const rows = pages[at]?.rows
    if (rows !== undefined && !fromEnd) lengths.set(page, rows.length)
  }
  let least = total
  for (const [page, length] of lengths) {
    const seen = page * pageSize + length
    const isAfterSeen = length > 0 || page === 0 || lengths.get(page - 1) === pageSize
    if (length < pageSize && isAfterSeen) return { total: seen, isEstimate: false, reported: total }
    least = length === pageSize ? Math.max(least, seen + 1) : Math.min(least, seen)
  }
  return { total: least, isEstimate: true, reported: total }
}
