import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { cohortsQuery } from '../../lib/api/queries.ts'
import { useGo } from '../../lib/go.ts'
import { CohortScreen } from '../../screens/cohort/cohort-screen.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

export const Route = createFileRoute('/cohorts/$id')({ component: CohortRoute })

function CohortRoute() {
  const go = useGo(Route)
  const { id } = Route.useParams()
  const { data: cohorts, error, refetch } = useQuery(cohortsQuery)
  const cohort = cohorts?.find((one) => String(one.id) === id)
  if (cohort !== undefined)
    return <CohortScreen key={id} cohort={cohort} onDeleted={() => go({ to: '/cohorts', ignoreBlocker: true })} />
  return (
    <Page crumbs={[{ label: 'Cohorts', link: { to: '/cohorts' } }]} title="Cohort">
      {cohorts !== undefined ? (
        <Empty title="There is no such cohort.">
          <p>It may have been deleted.</p>
        </Empty>
      ) : error ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows />
      )}
    </Page>
  )
}
