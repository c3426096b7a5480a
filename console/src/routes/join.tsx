import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useLocation } from '@tanstack/react-router'
import { operatorQuery, setupQuery } from '../lib/api/queries.ts'
import { useGo } from '../lib/go.ts'
import { JoinView } from '../screens/join/join-view.tsx'

export const Route = createFileRoute('/join')({
  loader: ({ context }) => context.queryClient.ensureQueryData(setupQuery),
  component: JoinRoute,
})

function JoinRoute() {
  const queryClient = useQueryClient()
  const { data: setup } = useSuspenseQuery(setupQuery)
  // Behind the #, which is sent to no server.
  const token = useLocation().hash
  const go = useGo(Route)
  return (
    <JoinView
      token={token}
      project={setup.project}
      onJoined={(operator) => {
        // What another operator of this browser saw is not for the new one.
        queryClient.clear()
        queryClient.setQueryData(operatorQuery.queryKey, operator)
        go({ to: '/', replace: true })
      }}
    />
  )
}
