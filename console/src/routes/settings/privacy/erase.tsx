import { createFileRoute } from '@tanstack/react-router'
import type { PersonKey } from '../../../lib/api/privacy.ts'
import { useGo } from '../../../lib/go.ts'
import { readText } from '../../../lib/read-search.ts'
import { EraseScreen } from '../../../screens/erase/erase-screen.tsx'

export const Route = createFileRoute('/settings/privacy/erase')({
  validateSearch: (search): PersonKey => ({
    kind: search.kind === 'user' ? 'user' : 'person',
    id: readText(search, 'id').id ?? '',
  }),
  component: EraseRoute,
})

function EraseRoute() {
  const go = useGo(Route)
  const { kind, id } = Route.useSearch()
  return (
    <EraseScreen
      key={id}
      personKey={{ kind, id }}
      onBegun={(erasureId) => go({ to: '/settings/privacy/erasures', search: { open: erasureId } })}
    />
  )
}
