import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { TeamScreen } from '../../screens/team/team-screen.tsx'

export const Route = createFileRoute('/settings/team')({
  validateSearch: (search): { readonly invite?: true } => (search.invite === true ? { invite: true } : {}),
  component: TeamRoute,
})

function TeamRoute() {
  const go = useGo(Route)
  const { invite = false } = Route.useSearch()
  return (
    <TeamScreen isInviting={invite} onInviting={(is) => go({ search: is ? { invite: true } : {}, replace: true })} />
  )
}
