import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { instanceQuery } from '../../lib/api/queries.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { RequestDrawer } from '../../thread/request-drawer.tsx'
import { Chip } from '../../ui/badge.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { loadOlderRequests, requestsQuery } from './queries.ts'
import { RequestsView } from './requests-view.tsx'
import type { RequestsSearch } from './search.ts'

interface RequestsScreenProps {
  readonly search: RequestsSearch
  readonly onSearch: (search: RequestsSearch) => void
}

/** Every request as it ends, or a list that stands still; one of them open beside it. */
export function RequestsScreen({ search, onSearch }: RequestsScreenProps) {
  const { open, live, ...filter } = search
  const queryClient = useQueryClient()
  const isLive = live !== 'off'
  const { data: list, error, refetch } = useQuery(requestsQuery(queryClient, filter, isLive))
  const { data: instance } = useQuery(instanceQuery)
  const { canChange } = useRights()
  const closed: RequestsSearch = { ...filter, ...(live ? { live } : {}) }
  return (
    <Page
      title="Requests"
      actions={
        <>
          {canChange && (
            <Link to="/requests/why" className={buttonClasses('bare')}>
              Why?
            </Link>
          )}
          <Chip
            on={isLive}
            onToggle={(on) => onSearch({ ...filter, ...(open ? { open } : {}), ...(on ? {} : { live: 'off' }) })}
          >
            Live
          </Chip>
        </>
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
          onFilter={(next) => onSearch({ ...next, ...(live ? { live } : {}) })}
          onOpen={(request) => onSearch({ ...closed, open: request.id })}
          // What is there stays; reaching the end again asks again.
          onEnd={() => inBackground(loadOlderRequests(queryClient, filter))}
        />
      )}
      <RequestDrawer id={open} onClose={() => onSearch(closed)} />
    </Page>
  )
}
