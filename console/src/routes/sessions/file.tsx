import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { FileScreen } from '../../screens/session/file/file-screen.tsx'
import { readSessionSearch } from '../../screens/session/search.ts'

export const Route = createFileRoute('/sessions/file')({ validateSearch: readSessionSearch, component: FileRoute })

function FileRoute() {
  const go = useGo(Route)
  return (
    <FileScreen
      search={Route.useSearch()}
      onSearch={(search) => go({ search, replace: true })}
      onImported={(id) => go({ to: '/sessions/$id', params: { id } })}
    />
  )
}
