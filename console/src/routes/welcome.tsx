import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Pending } from '../frame/pending.tsx'
import { isSignedOut } from '../lib/api-error.ts'
import { instanceQuery, operatorQuery, overviewQuery, setupQuery } from '../lib/queries.ts'
import type { Operator } from '../lib/schemas.ts'
import { ClaimView } from '../screens/welcome/claim-view.tsx'
import { ConnectView } from '../screens/welcome/connect-view.tsx'
import { WelcomeLayout } from '../screens/welcome/welcome-layout.tsx'

interface WelcomeSearch {
  /** The one-time token of the link that the start printed. */
  readonly token?: string
  readonly start?: 'sample'
}

export const Route = createFileRoute('/welcome')({
  validateSearch: (search): WelcomeSearch => ({
    ...(search.token === undefined ? {} : { token: String(search.token) }),
    ...(search.start === 'sample' ? { start: 'sample' } : {}),
  }),
  beforeLoad: async ({ context }): Promise<{ operator: Operator | null }> => ({
    operator: await context.queryClient.ensureQueryData(operatorQuery).catch((error: unknown) => {
      if (isSignedOut(error)) return null
      throw error
    }),
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(setupQuery),
  component: WelcomeRoute,
})

function WelcomeRoute() {
  const { token } = Route.useSearch()
  const { operator, queryClient } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  const { data: setup } = useSuspenseQuery(setupQuery)
  if (operator) return <Connect operator={operator} />
  return (
    <WelcomeLayout project={setup.project} step="owner">
      <ClaimView
        setup={setup}
        token={token}
        onClaimed={(owner) => {
          queryClient.setQueryData(operatorQuery.queryKey, owner)
          queryClient.removeQueries({ queryKey: setupQuery.queryKey })
          // The token is spent: it leaves the address, and with it the history.
          navigate({ search: {}, replace: true }).catch(console.error)
        }}
      />
    </WelcomeLayout>
  )
}

const tickMs = 1_000

function Connect({ operator }: { readonly operator: Operator }) {
  const { start = 'app' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: instance } = useQuery(instanceQuery)
  const { data: overview } = useQuery({ ...overviewQuery, refetchInterval: tickMs })
  if (!instance || !overview) return <Pending />
  return (
    <WelcomeLayout project={instance.project} step="connect">
      <ConnectView
        operator={operator}
        instance={instance}
        overview={overview}
        start={start}
        onStart={(next) => {
          navigate({ search: next === 'sample' ? { start: next } : {}, replace: true }).catch(console.error)
        }}
      />
    </WelcomeLayout>
  )
}
