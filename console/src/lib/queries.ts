import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** Facts that more than one screen reads. A screen's own stand beside it. */

/** Who is signed in; refused with 401 when nobody is. */
export const operatorQuery = queryOptions({
  queryKey: ['operator'],
  queryFn: ({ signal }) => api.operator({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether the instance has an owner yet. */
export const setupQuery = queryOptions({ queryKey: ['setup'], queryFn: ({ signal }) => api.setup({ signal }) })

/** Where the instance is, what to paste into an application, how its engines are. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => api.instance({ signal }),
  staleTime: 10_000,
  refetchInterval: 15_000,
})

/** The last hour in numbers. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => api.overview({ signal }),
  refetchInterval: 5_000,
})

/** The application's tables with their columns. */
export const tablesQuery = queryOptions({
  queryKey: ['tables'],
  queryFn: ({ signal }) => api.tables({ signal }),
  staleTime: 10_000,
})
