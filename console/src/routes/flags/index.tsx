import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { FlagsScreen } from '../../screens/flags/flags-screen.tsx'

export const Route = createFileRoute('/flags/')({
  validateSearch: (search): { readonly q?: string; readonly archived?: true } => ({
    ...readText(search, 'q'),
    ...(search.archived === true && { archived: true }),
  }),
  component: FlagsRoute,
})

function FlagsRoute() {
  const go = useGo(Route)
  const { q = '', archived = false } = Route.useSearch()
  const show = (text: string, isArchive: boolean) =>
    go({ search: { ...(text !== '' && { q: text }), ...(isArchive && { archived: true }) }, replace: true })
  return (
    <FlagsScreen
      text={q}
      isArchive={archived}
      onText={(text) => show(text, archived)}
      onArchive={(isArchive) => show(q, isArchive)}
      onOpen={(key) => go({ to: '/flags/$key', params: { key } })}
    />
  )
}
