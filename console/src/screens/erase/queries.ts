import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { PersonKey } from '../../lib/api/privacy.ts'
import type { RowsChoice } from './choices.ts'

/** What is kept of a person and would be erased; counted anew each time. */
export const previewQuery = (key: PersonKey) =>
  queryOptions({
    queryKey: ['erasure-preview', key.kind, key.id],
    queryFn: ({ signal }) => api.previewErasure(key, { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** Whether the database lets the account go after these choices: it is tried out, and rolled back. */
export const checkQuery = (key: PersonKey, tables: readonly RowsChoice[]) =>
  queryOptions({
    queryKey: ['erasure-check', key.kind, key.id, tables],
    queryFn: () => api.checkErasure({ ...key, tables: [...tables] }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
