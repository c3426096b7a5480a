import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { SchemaDiagramScreen } from '../../screens/schema-diagram/schema-diagram-screen.tsx'

export const Route = createFileRoute('/schema/diagram')({
  validateSearch: (search): { readonly schema?: string; readonly q?: string; readonly look?: string } =>
    readText(search, 'schema', 'q', 'look'),
  component: SchemaDiagramRoute,
})

function SchemaDiagramRoute() {
  const go = useGo(Route)
  const { schema = 'public', q = '', look } = Route.useSearch()
  return (
    <SchemaDiagramScreen
      schema={schema}
      filter={q}
      look={look === 'list' ? 'list' : 'diagram'}
      onView={({ schema: next, filter, look: nextLook }) =>
        go({
          search: {
            ...(next !== 'public' && { schema: next }),
            ...(filter !== '' && { q: filter }),
            ...(nextLook === 'list' && { look: nextLook }),
          },
          replace: true,
        })
      }
    />
  )
}
