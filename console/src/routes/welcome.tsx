import { createFileRoute } from '@tanstack/react-router'
import { isSignedOut } from '../lib/api/api-error.ts'
import { operatorQuery, setupQuery } from '../lib/api/queries.ts'
import type { Operator } from '../lib/api/schemas.ts'
import { useGo } from '../lib/go.ts'
import { ClaimScreen } from '../screens/welcome/claim-screen.tsx'
import { ConnectScreen } from '../screens/welcome/connect-screen.tsx'
import { readWelcomeSearch } from '../screens/welcome/search.ts'

export const Route = createFileRoute('/welcome')({
  validateSearch: readWelcomeSearch,
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
  const { token, start = 'app' } = Route.useSearch()
  const { operator } = Route.useRouteContext()
  const go = useGo(Route)
  // The token is spent: it leaves the address, and with it the history.
  if (operator === null) return <ClaimScreen token={token} onClaimed={() => go({ search: {}, replace: true })} />
  return (
    <ConnectScreen
      operator={operator}
      start={start}
      onStart={(next) => go({ search: next === 'sample' ? { start: next } : {}, replace: true })}
    />
  )
}
