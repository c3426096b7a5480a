import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { instanceQuery } from '../../lib/queries.ts'
import { loadOlderRequests, type RequestFilter, requestQuery, requestsQuery } from '../../screens/requests/queries.ts'
import { RequestsView } from '../../screens/requests/requests-view.tsx'
import { RequestView } from '../../thread/request-view.tsx'
import { Chip } from '../../ui/badge.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

interface RequestsSearch extends RequestFilter {
  /** The request open in the drawer. */
  readonly open?: string
  /** Off: the list stands still. */
  readonly live?: 'off'
}

const names = ['method', 'status', 'service', 'q', 'session', 'open'] as const

export const Route = createFileRoute('/requests/')({
  validateSearch: (search): RequestsSearch => ({
    ...Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name]
        return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : []
      }),
    ),
    ...(search.live === 'off' ? { live: 'off' } : {}),
  }),
  component: RequestsRoute,
})

function RequestsRoute() {
  const { open, live, ...filter } = Route.useSearch()
  const navigate = Route.useNavigate()
  const queryClient = useQueryClient()
  const isLive = live !== 'off'
  const { data: list, error, refetch } = useQuery(requestsQuery(queryClient, filter, isLive))
  const { data: instance } = useQuery(instanceQuery)
  const go = (search: RequestsSearch) => {
    navigate({ search, replace: true }).catch(console.error)
  }
  const closed: RequestsSearch = { ...filter, ...(live ? { live } : {}) }
  return (
    <Page
      title="Requests"
      actions={
        <Chip
          on={isLive}
          onToggle={(on) => go({ ...filter, ...(open ? { open } : {}), ...(on ? {} : { live: 'off' }) })}
        >
          Live
        </Chip>
      }
    >
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <RequestsView
          list={list}
          filter={filter}
          instance={instance}
          openId={open}
          onFilter={(next) => go({ ...next, ...(live ? { live } : {}) })}
          onOpen={(request) => go({ ...closed, open: request.id })}
          onEnd={() => {
            // What is there stays; reaching the end again asks again.
            loadOlderRequests(queryClient, filter).catch(console.error)
          }}
        />
      )}
      <Drawer
        open={open !== undefined}
        onClose={() => go(closed)}
        label="Request"
        title={
          open && (
            <Link to="/requests/$id" params={{ id: open }} className="hover:underline">
              Request <span className="mono font-normal text-ink-2">{open.slice(-12)}</span>
            </Link>
          )
        }
      >
        {open && <OpenRequest id={open} />}
      </Drawer>
    </Page>
  )
}

function OpenRequest({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(requestQuery(id))
  if (data) return <RequestView detail={data} />
  return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
}
