import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { MigrationsScreen } from '../../screens/migrations/migrations-screen.tsx'

export const Route = createFileRoute('/schema/migrations')({
  validateSearch: (search): { readonly open?: string } => readText(search, 'open'),
  component: MigrationsRoute,
})

function MigrationsRoute() {
  const go = useGo(Route)
  const { open } = Route.useSearch()
  return (
    <MigrationsScreen
      open={open}
      onOpen={(version) => go({ search: version === undefined ? {} : { open: version }, replace: true })}
    />
  )
}
