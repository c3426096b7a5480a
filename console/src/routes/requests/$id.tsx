import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Page } from '../../frame/page.tsx'
import { requestQuery } from '../../screens/requests/queries.ts'
import { RequestView } from '../../thread/request-view.tsx'
import { Status } from '../../ui/badge.tsx'
import { Duration, Time } from '../../ui/time.tsx'

export const Route = createFileRoute('/requests/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(requestQuery(params.id)),
  component: RequestRoute,
})

function RequestRoute() {
  const { id } = Route.useParams()
  const { data } = useSuspenseQuery(requestQuery(id))
  const { request } = data
  return (
    <Page
      crumbs={[{ label: 'Requests', link: { to: '/requests' } }]}
      title={
        <span className="mono">
          {request.method} {request.path}
        </span>
      }
      facts={
        <>
          <Status status={request.status} />
          <Duration ms={request.durationMs} />
          <Time at={request.at} />
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-[1280px]">
          <RequestView detail={data} />
        </div>
      </div>
    </Page>
  )
}
