import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { MailKind } from '../../lib/api/schemas.ts'

/** How sign-in is set up; it changes with a restart only. */
export const authSetupQuery = queryOptions({
  queryKey: ['auth-setup'],
  queryFn: ({ signal }) => api.authSetup({ signal }),
})

/** Where each secret of the instance comes from. It is asked again each time, as a file may have changed. */
export const instanceSecretsQuery = queryOptions({
  queryKey: ['instance-secrets'],
  queryFn: ({ signal }) => api.instanceSecrets({ signal }),
  staleTime: 0,
})

/** A mail as it would be sent: a file with its text may have been edited. */
export const mailPreviewQuery = (kind: MailKind) =>
  queryOptions({
    queryKey: ['auth-mail', kind],
    queryFn: ({ signal }) => api.previewMail(kind, { signal }),
    staleTime: 0,
  })
