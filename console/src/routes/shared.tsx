import { createFileRoute, useLocation } from '@tanstack/react-router'
import { useGo } from '../lib/go.ts'
import { readSessionSearch } from '../screens/session/search.ts'
import { SharedScreen } from '../screens/session/share/shared-screen.tsx'

export const Route = createFileRoute('/shared')({ validateSearch: readSessionSearch, component: SharedRoute })

function SharedRoute() {
  // Behind the #, which is sent to no server.
  const token = useLocation().hash
  const go = useGo(Route)
  return (
    <SharedScreen
      key={token}
      token={token}
      search={Route.useSearch()}
      onSearch={(search) => go({ search, hash: token, replace: true })}
    />
  )
}
