import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Page } from '../frame/page.tsx'
import { instanceQuery, overviewQuery } from '../lib/api/queries.ts'
import { useGo } from '../lib/go.ts'
import { HomeView } from '../screens/home/home-view.tsx'

export const Route = createFileRoute('/')({
  validateSearch: (search): { chart?: 'table' } => (search.chart === 'table' ? { chart: 'table' } : {}),
  loader: ({ context }) =>
    Promise.all([
      context.queryClient.ensureQueryData(overviewQuery),
      context.queryClient.ensureQueryData(instanceQuery),
    ]),
  component: HomeRoute,
})

function HomeRoute() {
  const { chart = 'chart' } = Route.useSearch()
  const go = useGo(Route)
  const { data: overview } = useSuspenseQuery(overviewQuery)
  const { data: instance } = useSuspenseQuery(instanceQuery)
  return (
    <Page title="Home">
      <HomeView
        overview={overview}
        instance={instance}
        chart={chart}
        onChart={(next) => go({ search: next === 'table' ? { chart: next } : {}, replace: true })}
      />
    </Page>
  )
}
