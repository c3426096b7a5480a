import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { ErrorsScreen } from '../../screens/errors/errors-screen.tsx'
import { readErrorsSearch } from '../../screens/errors/search.ts'

export const Route = createFileRoute('/errors/')({
  validateSearch: readErrorsSearch,
  component: ErrorsRoute,
})

function ErrorsRoute() {
  const go = useGo(Route)
  return (
    <ErrorsScreen
      search={Route.useSearch()}
      onSearch={(search) => go({ search, replace: true })}
      onOpen={({ id }) => go({ to: '/errors/$id', params: { id } })}
    />
  )
}
