import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { AuditScreen } from '../../screens/audit/audit-screen.tsx'
import { readAuditSearch } from '../../screens/audit/search.ts'

export const Route = createFileRoute('/audit/')({ validateSearch: readAuditSearch, component: AuditRoute })

function AuditRoute() {
  const go = useGo(Route)
  return <AuditScreen search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
