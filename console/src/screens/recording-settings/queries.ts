import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { live } from '../../lib/live/topics.ts'

/** What browsers record; another operator's change is shown. */
export const recordingSettingsQuery = queryOptions({
  queryKey: ['recording-settings'],
  queryFn: ({ signal }) => api.recordingSettings({ signal }),
  meta: live('console'),
})
