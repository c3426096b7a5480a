import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { accessQuery } from '../frame/access-queries.ts'
import { Page } from '../frame/page.tsx'
import { operatorQuery } from '../lib/api/queries.ts'
import { inBackground } from '../lib/in-background.ts'
import { passkeySupport } from '../lib/passkeys.ts'
import { AccessView } from '../screens/access/access-view.tsx'

export const Route = createFileRoute('/access')({
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
        support={passkeySupport()}
        onChanged={() => inBackground(queryClient.invalidateQueries({ queryKey: accessQuery.queryKey }))}
      />
    </Page>
  )
}
