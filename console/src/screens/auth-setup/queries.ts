import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { MailKind, RootKeys } from '../../lib/api/schemas.ts'

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

/** Whether something of an earlier root key is being moved to the one that counts. */
const isMoving = ({ isCurrent, contents }: RootKeys['rootKeys'][number]): boolean =>
  !isCurrent && contents.some(({ moves }) => moves)

/** What is kept under each root key. It is asked again while something moves by itself. */
export const rootKeysQuery = queryOptions({
  queryKey: [...instanceSecretsQuery.queryKey, 'root-keys'],
  queryFn: ({ signal }) => api.rootKeys({ signal }),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => (data?.rootKeys.some(isMoving) ? 1000 : false),
})

/** A mail as it would be sent: a file with its text may have been edited. */
export const mailPreviewQuery = (kind: MailKind) =>
  queryOptions({
    queryKey: ['auth-mail', kind],
    queryFn: ({ signal }) => api.previewMail(kind, { signal }),
    staleTime: 0,
  })
