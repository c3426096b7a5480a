import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { VaultScreen } from '../../screens/vault/vault-screen.tsx'

export const Route = createFileRoute('/vault/')({
  validateSearch: (search): { readonly open?: string } => readText(search, 'open'),
  component: VaultRoute,
})

function VaultRoute() {
  const go = useGo(Route)
  const { open } = Route.useSearch()
  return (
    <VaultScreen open={open} onOpen={(id) => go({ search: id === undefined ? {} : { open: id }, replace: true })} />
  )
}
