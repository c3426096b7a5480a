import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { AuthSetupScreen } from '../../screens/auth-setup/auth-setup-screen.tsx'
import { readSetupSearch } from '../../screens/auth-setup/search.ts'

export const Route = createFileRoute('/auth/setup')({ validateSearch: readSetupSearch, component: AuthSetupRoute })

function AuthSetupRoute() {
  const go = useGo(Route)
  return <AuthSetupScreen search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
