import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { queueQuery } from '../../screens/queue/queries.ts'
import { QueueScreen } from '../../screens/queue/queue-screen.tsx'
import { readQueueSearch } from '../../screens/queue/search.ts'

export const Route = createFileRoute('/queues/$name')({
  validateSearch: readQueueSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(queueQuery(params.name)),
  component: QueueRoute,
})

function QueueRoute() {
  const go = useGo(Route)
  const { name } = Route.useParams()
  const { data } = useSuspenseQuery(queueQuery(name))
  return <QueueScreen queue={data} search={Route.useSearch()} onSearch={(search) => go({ search, replace: true })} />
}
