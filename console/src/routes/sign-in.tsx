import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { operatorQuery, setupQuery } from '../lib/api/queries.ts'
import { SignInView } from '../screens/sign-in/sign-in-view.tsx'

export const Route = createFileRoute('/sign-in')({
  validateSearch: (search): { to?: string } => (typeof search.to === 'string' ? { to: search.to } : {}),
  loader: ({ context }) => context.queryClient.ensureQueryData(setupQuery),
  component: SignInRoute,
})

function SignInRoute() {
  const { to } = Route.useSearch()
  const router = useRouter()
  const { queryClient } = Route.useRouteContext()
  const { data: setup } = useSuspenseQuery(setupQuery)
  return (
    <SignInView
      setup={setup}
      onSignedIn={(operator) => {
        queryClient.setQueryData(operatorQuery.queryKey, operator)
        // Only a path of the console itself: a link from outside must not lead elsewhere after signing in.
        const inside = to?.startsWith('/') && !to.startsWith('//') ? to : '/'
        router.history.push(inside === '/' || !inside.startsWith('/console') ? `/console${inside}` : inside)
      }}
    />
  )
}
