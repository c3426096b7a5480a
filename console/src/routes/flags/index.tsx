import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { FlagsScreen } from '../../screens/flags/flags-screen.tsx'

export const Route = createFileRoute('/flags/')({
  validateSearch: (search): { readonly q?: string } => readText(search, 'q'),
  component: FlagsRoute,
})

function FlagsRoute() {
  const go = useGo(Route)
  const { q = '' } = Route.useSearch()
  return (
    <FlagsScreen
      text={q}
      onText={(text) => go({ search: text === '' ? {} : { q: text }, replace: true })}
      onOpen={(key) => go({ to: '/flags/$key', params: { key } })}
    />
  )
}
