import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Page } from '../frame/page.tsx'
import { instanceQuery, overviewQuery } from '../lib/api/queries.ts'
import { useGo } from '../lib/go.ts'
import { useRights } from '../lib/rights.ts'
import { Attention } from '../screens/home/attention.tsx'
import { HomeView } from '../screens/home/home-view.tsx'
import {
  emptyAnswersQuery,
  homeBackupsQuery,
  newestErrorsQuery,
  openSecurityQuery,
  overviewDayQuery,
  slowestQuery,
} from '../screens/home/queries.ts'
import { Readiness } from '../screens/home/readiness.tsx'

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
  const { data: day } = useQuery(overviewDayQuery)
  const { data: errors } = useQuery(newestErrorsQuery)
  const { data: slow } = useQuery(slowestQuery)
  const { data: empty } = useQuery(emptyAnswersQuery)
  const { canChange } = useRights()
  const { data: backups } = useQuery({ ...homeBackupsQuery, enabled: canChange })
  const { data: openSecurity } = useQuery({ ...openSecurityQuery, enabled: canChange })
  return (
    <Page title="Home">
      <HomeView
        overview={overview}
        day={day}
        attention={<Attention errors={errors} slow={slow} empty={empty} />}
        readiness={<Readiness instance={instance} backups={backups} openSecurity={openSecurity} />}
        instance={instance}
        chart={chart}
        onChart={(next) => go({ search: next === 'table' ? { chart: next } : {}, replace: true })}
      />
    </Page>
  )
}
