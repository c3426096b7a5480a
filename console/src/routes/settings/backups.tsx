import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { BackupsScreen } from '../../screens/backups/backups-screen.tsx'

export const Route = createFileRoute('/settings/backups')({
  validateSearch: (search): { readonly open?: string } => readText(search, 'open'),
  component: BackupsRoute,
})

function BackupsRoute() {
  const go = useGo(Route)
  const { open } = Route.useSearch()
  return (
    <BackupsScreen open={open} onOpen={(id) => go({ search: id === undefined ? {} : { open: id }, replace: true })} />
  )
}
