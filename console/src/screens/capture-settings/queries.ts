import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** What browsers send; another operator's change is shown. */
export const captureSettingsQuery = queryOptions({
  queryKey: ['capture-settings'],
  queryFn: ({ signal }) => api.captureSettings({ signal }),
  meta: live('console'),
})
