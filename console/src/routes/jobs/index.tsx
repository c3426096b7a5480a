import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { JobsScreen } from '../../screens/jobs/jobs-screen.tsx'

export const Route = createFileRoute('/jobs/')({
  validateSearch: (search): { readonly q?: string } => readText(search, 'q'),
  component: JobsRoute,
})

function JobsRoute() {
  const go = useGo(Route)
  const { q = '' } = Route.useSearch()
  return (
    <JobsScreen
      text={q}
      onText={(text) => go({ search: text === '' ? {} : { q: text }, replace: true })}
      onOpen={(jobId) => go({ to: '/jobs/$jobId', params: { jobId } })}
    />
  )
}
