import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { BackupsScreen } from '../../screens/backups/backups-screen.tsx'

export const Route = createFileRoute('/settings/backups')({
  validateSearch: (search): { readonly open?: string; readonly create?: true } => ({
    ...readText(search, 'open'),
    ...(search.create === true && { create: true }),
  }),
  component: BackupsRoute,
})

function BackupsRoute() {
  const go = useGo(Route)
  const { open, create = false } = Route.useSearch()
  return (
    <BackupsScreen
      open={open}
      onOpen={(id) => go({ search: id === undefined ? {} : { open: id }, replace: true })}
      isCreating={create}
      onCreated={() => go({ search: {}, replace: true })}
    />
  )
}
