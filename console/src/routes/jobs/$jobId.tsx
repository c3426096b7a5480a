import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readNumber } from '../../lib/read-search.ts'
import { JobScreen } from '../../screens/job/job-screen.tsx'
import { jobQuery } from '../../screens/job/queries.ts'

export const Route = createFileRoute('/jobs/$jobId')({
  validateSearch: (search): { readonly run?: number } => readNumber(search, 'run'),
  loader: ({ context, params }) => context.queryClient.ensureQueryData(jobQuery(params.jobId)),
  component: JobRoute,
})

function JobRoute() {
  const go = useGo(Route)
  const { jobId } = Route.useParams()
  const { run } = Route.useSearch()
  const { data } = useSuspenseQuery(jobQuery(jobId))
  return (
    <JobScreen
      detail={data}
      runId={run?.toString()}
      onRun={(next) => go({ search: next === undefined ? {} : { run: Number(next) }, replace: true })}
    />
  )
}
