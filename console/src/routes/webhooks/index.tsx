import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readWebhooksSearch } from '../../screens/webhooks/search.ts'
import { WebhooksScreen } from '../../screens/webhooks/webhooks-screen.tsx'

export const Route = createFileRoute('/webhooks/')({
  validateSearch: readWebhooksSearch,
  component: WebhooksRoute,
})

function WebhooksRoute() {
  const go = useGo(Route)
  return <WebhooksScreen search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
