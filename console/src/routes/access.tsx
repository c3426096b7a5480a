import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { accessQuery } from '../frame/access-queries.ts'
import { Page } from '../frame/page.tsx'
import { operatorQuery } from '../lib/api/queries.ts'
import { inBackground } from '../lib/in-background.ts'
import { passkeySupport } from '../lib/passkeys.ts'
import { readText } from '../lib/read-search.ts'
import { AccessView } from '../screens/access/access-view.tsx'

export const Route = createFileRoute('/access')({
  // The command line leads here with a name for the token that it asks for.
  validateSearch: (search): { readonly token?: string } => readText(search, 'token'),
  loader: ({ context }) => context.queryClient.ensureQueryData(accessQuery),
  component: AccessRoute,
})

function AccessRoute() {
  const queryClient = useQueryClient()
  const { data: operator } = useSuspenseQuery(operatorQuery)
  const { data: access } = useSuspenseQuery(accessQuery)
  return (
    <Page title="Your access">
      <AccessView
        operator={operator}
        access={access}
        proposedToken={Route.useSearch().token}
        support={passkeySupport()}
        onChanged={() => inBackground(queryClient.invalidateQueries({ queryKey: accessQuery.queryKey }))}
      />
    </Page>
  )
}
