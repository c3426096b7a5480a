import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { ExportsScreen } from '../../screens/exports/exports-screen.tsx'

export const Route = createFileRoute('/settings/exports')({
  validateSearch: (search): { readonly export?: string } => readText(search, 'export'),
  component: ExportsRoute,
})

function ExportsRoute() {
  const go = useGo(Route)
  const { export: openId } = Route.useSearch()
  return (
    <ExportsScreen
      openId={openId}
      onOpen={(id) => go({ search: id === undefined ? {} : { export: id }, replace: true })}
    />
  )
}
