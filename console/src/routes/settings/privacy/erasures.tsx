import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../../lib/go.ts'
import { readText } from '../../../lib/read-search.ts'
import { ErasuresScreen } from '../../../screens/erasures/erasures-screen.tsx'

export const Route = createFileRoute('/settings/privacy/erasures')({
  validateSearch: (search): { readonly open?: string } => readText(search, 'open'),
  component: ErasuresRoute,
})

function ErasuresRoute() {
  const go = useGo(Route)
  const { open } = Route.useSearch()
  return (
    <ErasuresScreen open={open} onOpen={(id) => go({ search: id === undefined ? {} : { open: id }, replace: true })} />
  )
}
