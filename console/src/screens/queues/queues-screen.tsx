import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { inBackground } from '../../lib/in-background.ts'
import { queuesQuery } from './queries.ts'
import { QueuesView } from './queues-view.tsx'

/** Every message queue. */
export function QueuesScreen({ onOpen }: { readonly onOpen: (name: string) => void }) {
  const { query, loadMore } = queuesQuery(useQueryClient())
  const { data: page, error, refetch } = useQuery(query)
  return (
    <Page title="Queues">
      {error && !page ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <QueuesView page={page} onOpen={({ name }) => onOpen(name)} onEnd={() => inBackground(loadMore())} />
      )}
    </Page>
  )
}
