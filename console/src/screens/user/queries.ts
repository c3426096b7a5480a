import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'

/** A user with identities, factors and sessions. */
export const userQuery = (id: string) =>
  queryOptions({ queryKey: ['user', id], queryFn: ({ signal }) => api.user(id, { signal }) })

/** The rows that a user owns, table by table. */
export const ownedQuery = (id: string) =>
  queryOptions({ queryKey: ['user', id, 'owned'], queryFn: ({ signal }) => api.ownedRows(id, { signal }) })
