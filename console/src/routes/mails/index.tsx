import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { MailsScreen, type MailsSearch } from '../../screens/mails/mails-screen.tsx'

export const Route = createFileRoute('/mails/')({
  validateSearch: (search): MailsSearch => ({ ...readText(search, 'q'), ...readText(search, 'open') }),
  component: MailsRoute,
})

function MailsRoute() {
  const go = useGo(Route)
  return <MailsScreen search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
