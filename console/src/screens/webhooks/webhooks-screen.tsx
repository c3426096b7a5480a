import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { DeliveriesView } from './deliveries-view.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { HooksView, NoWebhooks } from './hooks-view.tsx'
import { deliveriesQuery, hooksQuery, sqlRequestsQuery } from './queries.ts'
import { RequestsView } from './requests-view.tsx'
import type { WebhooksSearch } from './search.ts'
import { SqlRequestDrawer } from './sql-request-drawer.tsx'

interface WebhooksScreenProps {
  readonly search: WebhooksSearch
  readonly onSearch: (search: WebhooksSearch) => void
}

/** Webhooks of tables, their deliveries, and the requests that SQL makes. */
export function WebhooksScreen({ search, onSearch }: WebhooksScreenProps) {
  const { tab = 'hooks', open } = search
  const { data: hooks, error, refetch } = useQuery(hooksQuery)
  const openId = open?.toString()
  const { open: _open, ...closed } = search
  return (
    <Page title="Webhooks">
      {error && !hooks ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : hooks === undefined ? (
        <SkeletonRows />
      ) : !hooks.installed ? (
        <NoWebhooks />
      ) : (
        <Tabs
          label="Webhooks"
          value={tab}
          onChange={(name) => onSearch({ tab: name })}
          className="flex-1"
          tabs={[
            {
              name: 'hooks',
              label: 'Hooks',
              count: hooks.hooks.length,
              panel: (
                <HooksView
                  hooks={hooks.hooks}
                  onOpen={({ schema, table, name }) => onSearch({ tab: 'deliveries', schema, table, hook: name })}
                />
              ),
            },
            {
              name: 'deliveries',
              label: 'Deliveries',
              panel: <Deliveries search={search} onSearch={onSearch} />,
            },
            {
              name: 'requests',
              label: 'Requests from SQL',
              panel: <SqlRequests openId={openId} onOpen={(id) => onSearch({ tab: 'requests', open: Number(id) })} />,
            },
          ]}
        />
      )}
      <DeliveryDrawer id={tab === 'deliveries' ? openId : undefined} onClose={() => onSearch(closed)} />
      <SqlRequestDrawer id={tab === 'requests' ? openId : undefined} onClose={() => onSearch(closed)} />
    </Page>
  )
}

function Deliveries({ search, onSearch }: WebhooksScreenProps) {
  const { open, tab: _tab, ...filter } = search
  const queryClient = useQueryClient()
  const { query, loadMore } = deliveriesQuery(queryClient, filter)
  const { data: list, error, refetch } = useQuery(query)
  const { canChange } = useRights()
  const toast = useToast()
  const sendAgain = useMutation({
    mutationFn: () => {
      const { state: _state, ...ofHook } = filter
      return api.sendFailedWebhooksAgain(ofHook)
    },
    onSuccess: ({ sent }) => {
      toast.add({ title: `${sent} ${sent === 1 ? 'delivery is' : 'deliveries are'} sent again.` })
      inBackground(refetch())
    },
    onError: (problem) => void toast.add({ title: 'Nothing was sent.', description: errorText(problem) }),
  })
  if (error && !list) return <ErrorProblem error={error} onRetry={refetch} />
  return (
    <DeliveriesView
      list={list}
      filter={filter}
      openId={open?.toString()}
      onFilter={(next) => onSearch({ tab: 'deliveries', ...next })}
      onOpen={({ id }) => onSearch({ ...search, tab: 'deliveries', open: Number(id) })}
      onEnd={() => inBackground(loadMore())}
      onSendAgain={canChange ? () => sendAgain.mutate() : undefined}
    />
  )
}

function SqlRequests({ openId, onOpen }: { openId: string | undefined; onOpen: (id: string) => void }) {
  const queryClient = useQueryClient()
  const { query, loadMore } = sqlRequestsQuery(queryClient)
  const { data: list, error, refetch } = useQuery(query)
  if (error && !list) return <ErrorProblem error={error} onRetry={refetch} />
  return (
    <RequestsView
      list={list}
      openId={openId}
      onOpen={({ id }) => id !== null && onOpen(id)}
      onEnd={() => inBackground(loadMore())}
    />
  )
}
