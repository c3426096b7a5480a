import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { RowChange, Values } from '../../lib/api/schemas.ts'
import { live } from '../../lib/live/topics.ts'
import type { TableCaller } from './view-as/caller.ts'

/** Rows that are asked for at once. */
export const pageSize = 100

/** Which rows of a table are wanted, and in which order. */
export interface Narrowing {
  readonly sort: readonly string[]
  readonly filter: readonly string[]
  readonly search: string
  /** In whose place rows are read; the operator's own, who sees all of them, when absent. */
  readonly caller?: TableCaller | undefined
}

const narrowed = ({ sort, filter, search, caller }: Narrowing) => ({
  ...caller,
  ...(sort.length > 0 && { sort: [...sort] }),
  ...(filter.length > 0 && { filter: [...filter] }),
  ...(search !== '' && { search }),
})

/** What all that is known of a table's rows stands under in the cache. */
export const rowsKey = (schema: string, table: string) => ['rows', schema, table] as const

/**
 * One page of a table's rows.
 *
 * @param fromEnd whether pages are counted from the last row, which is as quick to reach as the first
 */
export const pageQuery = (schema: string, table: string, narrowing: Narrowing, page: number, fromEnd: boolean) =>
  queryOptions({
    queryKey: [...rowsKey(schema, table), narrowing, fromEnd ? 'from the end' : 'from the start', page],
    queryFn: ({ signal }) =>
      api.rows(
        schema,
        table,
        { limit: pageSize, offset: page * pageSize, ...narrowed(narrowing), ...(fromEnd && { fromEnd }) },
        { signal },
      ),
    staleTime: 15_000,
  })

/** One row by its key; null when it was deleted. */
export const rowQuery = (schema: string, table: string, key: Values) =>
  queryOptions({
    queryKey: ['row', schema, table, key],
    queryFn: async ({ signal }) => {
      const filter = Object.entries(key).map(([column, value]) => `${column}.eq.${value ?? ''}`)
      const { rows } = await api.rows(schema, table, { limit: 1, offset: 0, filter }, { signal })
      return rows[0]?.values ?? null
    },
    meta: live('changes'),
  })

/** The first rows of a table that hold a text, to choose from. */
export const choiceQuery = (schema: string, table: string, search: string) =>
  queryOptions({
    queryKey: [...rowsKey(schema, table), 'choice', search],
    queryFn: ({ signal }) =>
      api.rows(schema, table, { limit: 50, offset: 0, ...(search !== '' && { search }) }, { signal }),
  })

/** Changes as the SQL that would run. */
export const previewQuery = (changes: RowChange[]) =>
  queryOptions({
    queryKey: ['row-changes', changes],
    queryFn: ({ signal }) => api.previewRowChanges(changes, { signal }),
  })

/** What a deletion would meet by foreign keys. */
export const dependentsQuery = (schema: string, table: string, keys: Values[]) =>
  queryOptions({
    queryKey: ['dependents', schema, table, keys],
    queryFn: ({ signal }) => api.rowDependents(schema, table, keys, { signal }),
  })

/** The rows that a row is tied to by foreign keys, counted. */
export const relatedQuery = (schema: string, table: string, key: Values) =>
  queryOptions({
    queryKey: ['related', schema, table, key],
    queryFn: ({ signal }) => api.relatedRows(schema, table, key, { signal }),
    meta: live('changes'),
  })
