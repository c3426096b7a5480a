import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { ExperimentScreen, type ExperimentTab } from '../../screens/experiment/experiment-screen.tsx'
import { experimentQuery } from '../../screens/experiment/queries.ts'

export const Route = createFileRoute('/experiments/$id')({
  validateSearch: ({ tab }): { readonly tab?: ExperimentTab } =>
    tab === 'result' || tab === 'definition' ? { tab } : {},
  loader: ({ context, params }) => context.queryClient.ensureQueryData(experimentQuery(params.id)),
  component: ExperimentRoute,
})

function ExperimentRoute() {
  const go = useGo(Route)
  const { id } = Route.useParams()
  const { data } = useSuspenseQuery(experimentQuery(id))
  const first = data.state === 'draft' ? 'definition' : 'result'
  const { tab = first } = Route.useSearch()
  return (
    <ExperimentScreen
      key={id}
      experiment={data}
      tab={tab}
      onTab={(next) => go({ search: next === first ? {} : { tab: next }, replace: true })}
      onArchived={() => go({ to: '/experiments', ignoreBlocker: true })}
    />
  )
}
