import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'

/** What the token of an invitation invites to. Each look counts as an attempt: it is asked once. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => api.findInvitation(token),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
