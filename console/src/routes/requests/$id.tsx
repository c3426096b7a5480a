import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { RequestScreen } from '../../screens/requests/request-screen.tsx'
import { requestQuery } from '../../thread/queries.ts'

export const Route = createFileRoute('/requests/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(requestQuery(params.id)),
  component: RequestRoute,
})

function RequestRoute() {
  const { id } = Route.useParams()
  const { data } = useSuspenseQuery(requestQuery(id))
  return <RequestScreen detail={data} />
}
