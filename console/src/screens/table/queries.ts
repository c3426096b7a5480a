import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { Values } from '../../lib/api/schemas.ts'
import { live } from '../../lib/live/topics.ts'

const pageSize = 200

interface Narrowing {
  readonly sort: string | undefined
  readonly filter: readonly string[]
}

/** A table's rows, page by page as they come into sight. */
export const rowsQuery = (schema: string, table: string, { sort, filter }: Narrowing) =>
  infiniteQueryOptions({
    queryKey: ['rows', schema, table, { sort, filter }],
    queryFn: ({ signal, pageParam }) =>
      api.rows(
        schema,
        table,
        { limit: pageSize, offset: pageParam, filter: [...filter], ...(sort && { sort }) },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.rows.length < pageSize ? undefined : pages.length * pageSize),
    placeholderData: keepPreviousData,
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
