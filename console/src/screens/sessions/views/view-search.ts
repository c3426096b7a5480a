import type { SessionFilter } from '../queries.ts'
import { readSessionsSearch } from '../search.ts'

/** A filter as a view keeps it. */
export const renderViewSearch = (filter: SessionFilter): Record<string, string | number | boolean> => ({ ...filter })

/** Whether two filters are one, however their parts are ordered. */
export function isOneFilter(left: SessionFilter, right: SessionFilter): boolean {
  const textOf = (filter: SessionFilter) => JSON.stringify(Object.entries(readSessionsSearch({ ...filter })).sort())
  return textOf(left) === textOf(right)
}
